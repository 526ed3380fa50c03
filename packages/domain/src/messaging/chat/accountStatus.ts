import { DateTime, Effect, Equal } from "effect"
import { transact } from "../../kernel/index.ts"
import { ChatAccount, type ChatAccountId } from "./ChatAccount.ts"
import { ChatAccounts, type ChatSecrets } from "./ChatAccounts.ts"
import type { Remedy } from "./errors.ts"
import { appendEvent } from "./events.ts"

/** Stores an account that was read under the lock of accounts, and appends the events of its changes. */
export const saveAccount = Effect.fnUntraced(function* (
  before: ChatAccount,
  after: ChatAccount,
  secrets: ChatSecrets | null = null
) {
  const saved = yield* Effect.catchTag(
    (yield* ChatAccounts).save(after, secrets, before.version),
    "VersionConflict",
    (error) => Effect.die(error)
  )
  const chatAccountId = after.id
  if (before.status !== after.status) {
    yield* appendEvent({
      type: "chat_account.status_changed",
      chatAccountId,
      from: before.status,
      to: after.status
    })
  }
  yield* appendEvent({ type: "chat_account.updated", chatAccountId })
  return saved
})

/** Refusal of a message by the provider, with its time. */
export interface ProviderRefusal {
  readonly remedy: Remedy
  readonly code: number
  readonly reason: string
  readonly at: DateTime.Utc
}

/** Account status by remedy, for refusals that affect more than one message. */
const statusByRemedy: Partial<Readonly<Record<Remedy, ChatAccount["status"]>>> = {
  stop_campaigns: "degraded",
  stop_account: "degraded",
  reauthorize: "disconnected"
}

/** Whether a refusal is about the account, and not only about one message. */
export const isAboutAccount = ({ remedy }: Pick<ProviderRefusal, "remedy">): boolean => remedy in statusByRemedy

/** Updates the account's status after a refusal, unless the account was checked since. */
export const updateAccountStatus = Effect.fnUntraced(
  function* (id: ChatAccountId, { at, code, reason, remedy }: ProviderRefusal) {
    const accounts = yield* ChatAccounts
    const before = yield* accounts.get(id)
    const { lastCheckedAt, status: from } = before
    const isStale = lastCheckedAt !== null && DateTime.isGreaterThan(lastCheckedAt, at)
    const to = statusByRemedy[remedy] ?? from
    const lastError = { code, reason }
    if (isStale || (from === to && Equal.equals(before.lastError, lastError))) return
    const marked = new ChatAccount({ ...before, status: to, lastError, updatedAt: yield* DateTime.now })
    yield* accounts.save(marked, null, before.version)
    if (from !== to) {
      yield* appendEvent({ type: "chat_account.status_changed", chatAccountId: id, from, to })
    }
  },
  transact,
  // The account was removed, or another process has newer data.
  (effect) => Effect.ignore(effect)
)
