import { DateTime, Duration, Effect, Equal } from "effect"
import { Locks, transact } from "../../kernel/index.ts"
import { ChatAccount } from "./ChatAccount.ts"
import { ChatAccounts } from "./ChatAccounts.ts"
import { ChatChannels } from "./ChatChannels.ts"
import { type NumberHealth, openProviderConnection } from "./ProviderConnection.ts"
import { withHealth } from "./accountHealth.ts"
import { saveAccount } from "./accountStatus.ts"

/** Age of a check after which a number is read again, because providers do not report each change of its quality. */
const maxCheckAge = Duration.days(1)

/** Time limit for the answer of the provider about one number. */
const maxCheckDuration = Duration.seconds(10)

const concurrentChecks = 4

/** More accounts than an organization can have. */
const allAccounts = { limit: 1_000, after: null }

/** Applies the state of a number. A degradation can have a cause that the state does not show, so only a check ends it. */
const withState = (before: ChatAccount, health: NumberHealth, at: DateTime.Utc): ChatAccount => {
  const after = withHealth(before, health, at)
  const { lastError, status } = before
  return status === "degraded" ? new ChatAccount({ ...after, status, lastError }) : after
}

/** Stores the state of a number if it differs, unless the account was changed concurrently. */
const saveState = Effect.fnUntraced(function* (account: ChatAccount, health: NumberHealth, at: DateTime.Utc) {
  yield* (yield* Locks).exclusive("chat_accounts")
  const [before] = yield* (yield* ChatAccounts).find([account.id])
  if (before?.version !== account.version) return
  const after = withState(before, health, at)
  const isUnchanged = Equal.equals({ ...before, lastCheckedAt: at, updatedAt: at }, { ...after })
  if (!isUnchanged) yield* saveAccount(before, after)
}, transact)

/**
 * Reads the state of a number. The time is stored first, so a number that does not answer is read once a day too. A refusal changes nothing else:
 * messages can succeed with a token that does not allow this call.
 */
const refreshNumber = Effect.fnUntraced(
  function* (account: ChatAccount) {
    const checking = (yield* ChatChannels).get(account.provider)?.checking ?? null
    if (checking === null) return
    const at = yield* DateTime.now
    yield* transact((yield* ChatAccounts).recordCheck(account.id, at))
    const connection = yield* openProviderConnection(account)
    const health = yield* Effect.timeout(checking.check(connection), maxCheckDuration)
    yield* saveState(account, health, at)
  },
  (effect) => Effect.ignore(effect)
)

/** Reads the state of the organization's numbers that were not checked within a day. */
export const refreshNumbers = Effect.gen(function* () {
  const checkedBefore = DateTime.subtractDuration(yield* DateTime.now, maxCheckAge)
  const accounts = yield* (yield* ChatAccounts).list(allAccounts)
  const stale = accounts.filter(
    ({ lastCheckedAt, status }) =>
      status !== "disconnected" && lastCheckedAt !== null && DateTime.isLessThan(lastCheckedAt, checkedBefore)
  )
  yield* Effect.forEach(stale, refreshNumber, { concurrency: concurrentChecks, discard: true })
})
