import { DateTime, Effect, type Result } from "effect"
import { record } from "../../../platform/audit/index.ts"
import { Locks, transact, useCase } from "../../../kernel/index.ts"
import { ChatAccounts } from "../ChatAccounts.ts"
import type { ChannelFailure } from "../ChannelErrors.ts"
import { channelFor } from "../ChatChannels.ts"
import { checkedAccount } from "../health.ts"
import type { ChatAccountId } from "../Ids.ts"
import { openLine } from "../lineOf.ts"
import type { LineHealth } from "../NumberChecking.ts"
import { saveAccount } from "../saveAccount.ts"
import { shownAccount } from "../shown.ts"

/** What came of asking the provider, by which right, and when. */
interface Asked {
  readonly answer: Result.Result<LineHealth, ChannelFailure>
  readonly sealedToken: string | null
  readonly at: DateTime.Utc
}

const sealedTokenOf = Effect.fnUntraced(function* (id: ChatAccountId) {
  const [secrets] = yield* (yield* ChatAccounts).secrets([id])
  return secrets?.accessToken ?? null
})

const ask = Effect.fnUntraced(function* (id: ChatAccountId) {
  const sealedToken = yield* sealedTokenOf(id)
  const account = yield* (yield* ChatAccounts).get(id)
  const { check } = yield* channelFor(account, "checking")
  const line = yield* openLine(account)
  const at = yield* DateTime.now
  return { answer: yield* Effect.result(check(line)), sealedToken, at } satisfies Asked
})

/** What the provider has said, on top of the account as it is now; `null` if the right it was asked by is not the one now. */
const keep = Effect.fnUntraced(function* (id: ChatAccountId, { answer, at, sealedToken }: Asked) {
  yield* (yield* Locks).exclusive("chat_accounts")
  const before = yield* (yield* ChatAccounts).get(id)
  if ((yield* sealedTokenOf(id)) !== sealedToken) return null
  const saved = yield* saveAccount(before, yield* checkedAccount(before, Effect.fromResult(answer), at))
  yield* record(
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
      const saved = yield* keep(id, yield* ask(id))
      if (saved !== null) return yield* shownAccount(saved)
    }
  })
)
