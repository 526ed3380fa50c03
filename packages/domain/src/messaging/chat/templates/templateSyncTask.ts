import { Context, DateTime, Effect } from "effect"
import { type TenantScoped, transact } from "../../../kernel/index.ts"
import {
  type Lane,
  type LaneLease,
  LaneQueue,
  defineLaneWorker,
  runDueLanes,
  type TaskName
} from "../../../platform/background/index.ts"
import type { ChatAccount, ChatAccountId } from "../ChatAccount.ts"
import { ChatAccounts } from "../ChatAccounts.ts"
import { asMessagingSystem } from "../ChatChannels.ts"
import type { ChannelFailure } from "../errors.ts"
import { fetchTemplates, saveProviderTemplates } from "./templateSync.ts"

/** Name of the background task that fetches templates; each account has a lane. */
export const templateSyncTaskName: TaskName = "template fetches"

/** Returns the account of a lane. */
export const templateSyncLaneAccountId = ({ key }: Lane) => key as ChatAccountId

/** Started fetch for the account of a lane. */
export interface TemplateSyncRun {
  readonly lane: LaneLease
  /** Increases with each write. A request during the fetch belongs to a later revision. */
  readonly revision: number
}

/** Requests to fetch templates of the organization's accounts, for the lane owners. */
export class TemplateSyncs extends Context.Service<
  TemplateSyncs,
  TenantScoped<{
    /** Starts a due fetch. Unless it is settled, it is due again at the retry time. `null` if nothing is due, or the lease is lost. */
    readonly begin: (
      lane: LaneLease,
      times: { readonly now: DateTime.Utc; readonly again: DateTime.Utc }
    ) => Effect.Effect<TemplateSyncRun | null>
    /** Completes a fetch. Requests since its start stay. */
    readonly settle: (fetch: TemplateSyncRun) => Effect.Effect<void>
    /** Due time of the account's next fetch; `null` without a request. */
    readonly nextDue: (id: ChatAccountId) => Effect.Effect<DateTime.Utc | null>
  }>
>()("@parley/domain/messaging/chat/TemplateSyncs") {}

/** Maximum number of accounts that a process fetches for concurrently. */
const maxConcurrentAccounts = 2

/** Several requests within this time lead to one fetch. */
const debounce = { seconds: 5 }

/** Delay before the next attempt for an account that could not be queried, or whose worker crashed. */
const retryDelay = { minutes: 1 }

/** Requests a fetch of the templates of these accounts, because the stored ones differ from the provider's. */
export const requestTemplateSync = Effect.fnUntraced(function* (ids: ReadonlyArray<ChatAccountId>) {
  if (ids.length === 0) return
  yield* (yield* ChatAccounts).wantTemplates(ids, DateTime.add(yield* DateTime.now, debounce))
})

const isRetryable = (failure: ChannelFailure): boolean =>
  failure._tag === "ChannelUnreachable" || failure.remedy === "retry" || failure.remedy === "slow_down"

/** Stores the fetched templates, unless another process owns the lane by now. Its fetch may be newer. */
const saveFetchedTemplates = Effect.fnUntraced(function* (
  lane: LaneLease,
  account: ChatAccount,
  kept: Effect.Success<ReturnType<typeof fetchTemplates>>
) {
  yield* saveProviderTemplates(account, kept)
  yield* (yield* LaneQueue).hold(lane)
}, transact)

/** Fetches from the provider if the account allows it. Returns whether the request is settled. */
const fetchForLane = Effect.fnUntraced(
  function* (lane: LaneLease) {
    const [account] = yield* (yield* ChatAccounts).find([templateSyncLaneAccountId(lane)])
    if (account !== undefined && account.status !== "disconnected") {
      yield* saveFetchedTemplates(lane, account, yield* fetchTemplates(account))
    }
    return true
  },
  Effect.catchTags({
    ChannelRefused: (failure) => Effect.succeed(!isRetryable(failure)),
    // The account was removed. Reconnecting it requests another fetch.
    NotFound: () => Effect.succeed(true),
    UnsupportedByChannel: () => Effect.succeed(true),
    ChannelUnreachable: (failure) => Effect.succeed(!isRetryable(failure))
  })
)

const runTemplateSync = Effect.fnUntraced(function* (lane: LaneLease) {
  const fetches = yield* TemplateSyncs
  const now = yield* DateTime.now
  const begun = yield* fetches.begin(lane, { now, again: DateTime.add(now, retryDelay) })
  if (begun !== null && (yield* fetchForLane(lane))) yield* fetches.settle(begun)
})

/** Fetches possibly changed templates account by account. */
export const templateSyncTask = defineLaneWorker({
  name: templateSyncTaskName,
  concurrency: maxConcurrentAccounts,
  run: (lane) => asMessagingSystem(lane.organizationId)(runTemplateSync(lane)),
  nextDue: (lane) =>
    asMessagingSystem(lane.organizationId)(
      Effect.flatMap(TemplateSyncs, (fetches) => fetches.nextDue(templateSyncLaneAccountId(lane)))
    )
})

/** Fetches the templates of all accounts with a due request whose lanes have no other owner. */
export const refreshTemplates = runDueLanes(templateSyncTask)
