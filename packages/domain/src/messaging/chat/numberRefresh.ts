import { DateTime, Duration, Effect } from "effect"
import { Locks, transact } from "../../kernel/index.ts"
import { ChatAccount } from "./ChatAccount.ts"
import { ChatAccounts } from "./ChatAccounts.ts"
import { ChatChannels } from "./ChatChannels.ts"
import { type NumberHealth, openProviderConnection } from "./ProviderConnection.ts"
import { withHealth } from "./accountHealth.ts"
import { saveAccount } from "./accountStatus.ts"

/** Age of a check after which a number is read again, because providers do not report each change of its quality. */
const maxCheckAge = Duration.days(1)

/** More accounts than an organization can have. */
const allAccounts = { limit: 1_000, after: null }

/** Applies the state of a number. A degradation can have a cause that the state does not show, so only a check ends it. */
const withState = (before: ChatAccount, health: NumberHealth, at: DateTime.Utc): ChatAccount => {
  const after = withHealth(before, health, at)
  const { lastError, status } = before
  return status === "degraded" ? new ChatAccount({ ...after, status, lastError }) : after
}

/** Stores the state of a number, unless the account was changed concurrently. */
const saveState = Effect.fnUntraced(function* (account: ChatAccount, health: NumberHealth, at: DateTime.Utc) {
  yield* (yield* Locks).exclusive("chat_accounts")
  const [before] = yield* (yield* ChatAccounts).find([account.id])
  if (before?.version === account.version) yield* saveAccount(before, withState(before, health, at))
}, transact)

/** Reads the state of a number. A refusal changes nothing: messages can succeed with a token that does not allow this call. */
const refreshNumber = Effect.fnUntraced(
  function* (account: ChatAccount) {
    const checking = (yield* ChatChannels).get(account.provider)?.checking ?? null
    if (checking === null) return
    const at = yield* DateTime.now
    const health = yield* checking.check(yield* openProviderConnection(account))
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
  yield* Effect.forEach(stale, refreshNumber, { discard: true })
})
