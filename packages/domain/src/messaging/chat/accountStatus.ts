import { DateTime, Effect, Equal } from "effect"
import { transact } from "../../kernel/index.ts"
import { ChatAccount, type ChatAccountId, isOfBusiness } from "./ChatAccount.ts"
import { ChatAccounts, type ChatSecrets } from "./ChatAccounts.ts"
import type { RefusalScope, Remedy } from "./errors.ts"
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
  /** Default: the number. */
  readonly scope?: RefusalScope | undefined
}

/** Account status by remedy, for refusals that affect more than one message. */
const statusByRemedy: Partial<Readonly<Record<Remedy, ChatAccount["status"]>>> = {
  stop_campaigns: "degraded",
  stop_account: "degraded",
  reauthorize: "disconnected"
}

/** Whether a refusal is about the account, and not only about one message. */
export const isAboutAccount = ({ remedy }: Pick<ProviderRefusal, "remedy">): boolean => remedy in statusByRemedy

/** Applies a refusal to the account, unless the account was checked since. */
const applyRefusalTo = Effect.fnUntraced(function* (
  before: ChatAccount,
  { at, code, reason, remedy }: ProviderRefusal
) {
  const { id, lastCheckedAt, status: from } = before
  const isStale = lastCheckedAt !== null && DateTime.isGreaterThan(lastCheckedAt, at)
  const to = statusByRemedy[remedy] ?? from
  const lastError = { code, reason }
  if (isStale || (from === to && Equal.equals(before.lastError, lastError))) return
  const marked = new ChatAccount({ ...before, status: to, lastError, updatedAt: yield* DateTime.now })
  yield* (yield* ChatAccounts).save(marked, null, before.version)
  if (from !== to) {
    yield* appendEvent({ type: "chat_account.status_changed", chatAccountId: id, from, to })
  }
})

/** Returns the other connected numbers of the business account that pays for the messages of the account. */
const findSiblings = Effect.fnUntraced(function* (account: ChatAccount) {
  const business = account.messagingAccountId ?? account.externalAccountId
  const found = yield* (yield* ChatAccounts).findByBusiness(account.provider, [business])
  return found.filter(
    (each) => each.id !== account.id && isOfBusiness(each, business) && each.status !== "disconnected"
  )
})

/**
 * Updates the status of the account after a refusal, unless it was checked since. A refusal about the business account also updates its other
 * numbers.
 */
export const updateAccountStatus = Effect.fnUntraced(
  function* (id: ChatAccountId, refusal: ProviderRefusal) {
    const account = yield* (yield* ChatAccounts).get(id)
    const siblings = refusal.scope === "business_account" ? yield* findSiblings(account) : []
    // One order of accounts prevents deadlocks.
    const affected = [account, ...siblings].toSorted((one, other) => (one.id < other.id ? -1 : 1))
    for (const each of affected) yield* applyRefusalTo(each, refusal)
  },
  transact,
  // The account was removed, or another process has newer data.
  (effect) => Effect.ignore(effect)
)
