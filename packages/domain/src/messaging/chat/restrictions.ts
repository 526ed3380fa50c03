import { DateTime, Effect } from "effect"
import { Locks, transact } from "../../kernel/index.ts"
import { defineLaneWorker, type Lane, Lanes, runDueLanes, type TaskName } from "../../platform/background/index.ts"
import { ChatAccount, type ChatAccountId, type ChatAccountRestriction } from "./ChatAccount.ts"
import { ChatAccounts } from "./ChatAccounts.ts"
import { asMessagingSystem } from "./ChatChannels.ts"
import { saveAccount } from "./accountStatus.ts"

export const stopsMessages = ({ scopes }: ChatAccountRestriction) =>
  scopes.includes("business_initiated_messages") || scopes.includes("customer_initiated_messages")

/** Whether the account is degraded because of its restrictions. A degradation for another reason does not end with them. */
const isRestricted = ({ lastError, status }: ChatAccount): boolean =>
  status === "degraded" && lastError?.cause === "restriction"

/** Returns the account with its current restrictions. The end of the last restriction of messages restores it. */
export const withRestrictions = (
  account: ChatAccount,
  restrictions: ReadonlyArray<ChatAccountRestriction>
): ChatAccount =>
  isRestricted(account) && !restrictions.some(stopsMessages)
    ? new ChatAccount({ ...account, restrictions, status: "connected", lastError: null })
    : new ChatAccount({ ...account, restrictions })

/** Returns the time at which the account is no longer degraded by its restrictions; `null` if this has no known time. */
export const restrictionEnd = (account: ChatAccount): DateTime.Utc | null => {
  const ends = account.restrictions.filter(stopsMessages).map(({ expiresAt }) => expiresAt)
  if (!isRestricted(account) || ends.length === 0) return null
  return ends.reduce((latest, end) => (latest === null || end === null ? null : DateTime.max(latest, end)))
}

/** Name of the background task that restores accounts; each account has a lane. */
const restrictionTaskName: TaskName = "ends of restrictions"

/** Schedules the restoration of an account, if its restrictions end at a known time. */
export const scheduleRestrictionEnd = Effect.fnUntraced(function* (account: ChatAccount) {
  const dueAt = restrictionEnd(account)
  if (dueAt === null) return
  yield* (yield* Lanes).open({ task: restrictionTaskName, key: account.id, priority: "bulk", dueAt })
})

const findAccount = Effect.fnUntraced(function* ({ key }: Lane) {
  const [account] = yield* (yield* ChatAccounts).find([key as ChatAccountId])
  return account
})

const restoreAccount = Effect.fnUntraced(function* (lane: Lane) {
  yield* (yield* Locks).exclusive("chat_accounts")
  const account = yield* findAccount(lane)
  const end = account === undefined ? null : restrictionEnd(account)
  const now = yield* DateTime.now
  if (account === undefined || end === null || DateTime.isGreaterThan(end, now)) return
  const restored = new ChatAccount({ ...account, status: "connected", lastError: null, updatedAt: now })
  yield* Effect.orDie(saveAccount(account, restored))
}, transact)

/** Restores accounts when their restrictions of messages end. The provider sends no event then. */
export const restrictionTask = defineLaneWorker({
  name: restrictionTaskName,
  concurrency: 1,
  run: (lane) => asMessagingSystem(lane.organizationId)(restoreAccount(lane)),
  nextDue: (lane) =>
    asMessagingSystem(lane.organizationId)(
      Effect.map(findAccount(lane), (account) => (account === undefined ? null : restrictionEnd(account)))
    )
})

/** Restores the accounts whose restrictions have ended and whose lanes have no other owner. */
export const restoreUnrestrictedAccounts = runDueLanes(restrictionTask)
