import { DateTime, Effect, type Result } from "effect"
import { Locks, paged, type PageRequest, transact, useCase } from "../../../kernel/index.ts"
import { recordAudit } from "../../../platform/audit/index.ts"
import { type ChatAccountId, sendWaitDeadline } from "../ChatAccount.ts"
import { ChatAccounts } from "../ChatAccounts.ts"
import { channelFor } from "../ChatChannels.ts"
import { toChatAccountView, toChatAccountViews } from "../ChatSettings.ts"
import { type NumberHealth, openProviderConnection } from "../ProviderConnection.ts"
import { withHealthCheck } from "../accountHealth.ts"
import { saveAccount } from "../accountStatus.ts"
import type { ChannelFailure } from "../errors.ts"
import { appendEvent } from "../events.ts"

/** Reads one chat account. */
export const getChatAccount = useCase(
  "chatAccounts.get",
  { access: { permission: "chat_accounts.read" } },
  Effect.fnUntraced(function* (id: ChatAccountId) {
    return yield* toChatAccountView(yield* (yield* ChatAccounts).get(id))
  })
)

/** Reads the chat accounts, newest first. */
export const listChatAccounts = useCase(
  "chatAccounts.list",
  { access: { permission: "chat_accounts.read" } },
  Effect.fnUntraced(function* (page: PageRequest) {
    const accounts = yield* ChatAccounts
    const { data, nextCursor } = yield* paged(
      "chat_accounts",
      page,
      (slice) => accounts.list(slice),
      (account) => [account.id]
    )
    return { data: yield* toChatAccountViews(data), nextCursor }
  })
)

/** What came of asking the provider, by which right, and when. */
interface HealthCheckResult {
  readonly answer: Result.Result<NumberHealth, ChannelFailure>
  readonly sealedToken: string | null
  readonly at: DateTime.Utc
}

const loadSealedToken = Effect.fnUntraced(function* (id: ChatAccountId) {
  const [secrets] = yield* (yield* ChatAccounts).secrets([id])
  return secrets?.accessToken ?? null
})

const runHealthCheck = Effect.fnUntraced(function* (id: ChatAccountId) {
  const sealedToken = yield* loadSealedToken(id)
  const account = yield* (yield* ChatAccounts).get(id)
  const { check } = yield* channelFor(account, "checking")
  const line = yield* openProviderConnection(account)
  const at = yield* DateTime.now
  return { answer: yield* Effect.result(check(line)), sealedToken, at } satisfies HealthCheckResult
})

/** What the provider has said, on top of the account as it is now; `null` if the right it was asked by is not the one now. */
const saveHealthCheck = Effect.fnUntraced(function* (
  id: ChatAccountId,
  { answer, at, sealedToken }: HealthCheckResult
) {
  yield* (yield* Locks).exclusive("chat_accounts")
  const before = yield* (yield* ChatAccounts).get(id)
  if ((yield* loadSealedToken(id)) !== sealedToken) return null
  const saved = yield* saveAccount(before, yield* withHealthCheck(before, Effect.fromResult(answer), at))
  yield* recordAudit(
    "chat_account.checked",
    { kind: "chat_account", id },
    { before: { status: before.status }, after: { status: saved.status } }
  )
  return saved
}, transact)

/**
 * Asks the provider how a number is doing, and keeps what it says; that it cannot be asked is kept, too. If the access token
 * was replaced meanwhile, it is asked again: what was said of the former one says nothing about the account.
 */
export const checkChatAccount = useCase(
  "chatAccounts.check",
  { access: { permission: "chat_accounts.manage" } },
  Effect.fnUntraced(function* (id: ChatAccountId) {
    while (true) {
      const saved = yield* saveHealthCheck(id, yield* runHealthCheck(id))
      if (saved !== null) return yield* toChatAccountView(saved)
    }
  })
)

/**
 * Disconnects a number and erases its secrets. What was written over it stays; its templates and what is queued wait for the
 * number to be connected again.
 */
export const removeChatAccount = useCase(
  "chatAccounts.remove",
  { access: { permission: "chat_accounts.manage" } },
  Effect.fnUntraced(function* (id: ChatAccountId, expectedVersion: number | null) {
    const accounts = yield* ChatAccounts
    yield* (yield* Locks).exclusive("chat_accounts")
    const { displayName, externalAccountId, externalPhoneId, mode } = yield* accounts.get(id)
    const at = yield* DateTime.now
    yield* accounts.remove(id, { at, sendsWaitUntil: sendWaitDeadline(at) }, expectedVersion)
    yield* recordAudit(
      "chat_account.removed",
      { kind: "chat_account", id },
      { before: { mode, displayName, externalAccountId, externalPhoneId } }
    )
    yield* appendEvent({ type: "chat_account.removed", chatAccountId: id })
  }, transact)
)
