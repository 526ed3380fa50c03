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

/** What fetching templates again is called among the works: each account has a lane. */
export const templateSyncTaskName: TaskName = "template fetches"

/** The account that a lane of template fetches is of. */
export const templateSyncLaneAccountId = ({ key }: Lane) => key as ChatAccountId

/** A fetch that has begun, of the account that the lane is of. */
export interface TemplateSyncRun {
  readonly lane: LaneLease
  /** Goes up with each write: what is wanted meanwhile is wanted of a later one. */
  readonly revision: number
}

/** The templates of the organization's accounts that have to be fetched again, for whoever owns the lanes. */
export class TemplateSyncs extends Context.Service<
  TemplateSyncs,
  TenantScoped<{
    /** Begins to fetch what is wanted by then. Unless it is settled, it is wanted again then. `null` when nothing is, or the lease is lost. */
    readonly begin: (
      lane: LaneLease,
      times: { readonly now: DateTime.Utc; readonly again: DateTime.Utc }
    ) => Effect.Effect<TemplateSyncRun | null>
    /** It was done. What was wanted since it began is wanted still. */
    readonly settle: (fetch: TemplateSyncRun) => Effect.Effect<void>
    /** From when on those of the account are wanted; `null` when they are not. */
    readonly nextDue: (id: ChatAccountId) => Effect.Effect<DateTime.Utc | null>
  }>
>()("@parley/domain/messaging/chat/TemplateSyncs") {}

/** How many accounts a process fetches for at once. */
const maxConcurrentAccounts = 2

/** Several reasons to fetch within this time lead to one fetch. */
const debounce = { seconds: 5 }

/** An account that could not be asked, or whose fetcher died, is asked again after this time. */
const retryDelay = { minutes: 1 }

/** Has the templates of these accounts fetched again soon: something about them is not as it was thought to be. */
export const requestTemplateSync = Effect.fnUntraced(function* (ids: ReadonlyArray<ChatAccountId>) {
  if (ids.length === 0) return
  yield* (yield* ChatAccounts).wantTemplates(ids, DateTime.add(yield* DateTime.now, debounce))
})

const isRetryable = (failure: ChannelFailure): boolean =>
  failure._tag === "ChannelUnreachable" || failure.remedy === "retry" || failure.remedy === "slow_down"

/** Stores what was fetched, unless somebody else owns the lane by now and may have fetched later. */
const saveFetchedTemplates = Effect.fnUntraced(function* (
  lane: LaneLease,
  account: ChatAccount,
  kept: Effect.Success<ReturnType<typeof fetchTemplates>>
) {
  yield* saveProviderTemplates(account, kept)
  yield* (yield* LaneQueue).hold(lane)
}, transact)

/** Asks the provider, unless the account cannot; says whether that is settled. */
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
    // It was removed: once it is connected again, they are wanted again.
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

/** Templates that may have changed at the provider are fetched account by account. */
export const templateSyncTask = defineLaneWorker({
  name: templateSyncTaskName,
  concurrency: maxConcurrentAccounts,
  run: (lane) => asMessagingSystem(lane.organizationId)(runTemplateSync(lane)),
  nextDue: (lane) =>
    asMessagingSystem(lane.organizationId)(
      Effect.flatMap(TemplateSyncs, (fetches) => fetches.nextDue(templateSyncLaneAccountId(lane)))
    )
})

/** Fetches the templates of every account that wants it and that nobody else fetches for. */
export const refreshTemplates = runDueLanes(templateSyncTask)
