import { Context, DateTime, Effect } from "effect"
import { type TenantScoped, transact } from "../../../kernel/index.ts"
import {
  type Lane,
  type LaneLease,
  LaneQueue,
  laneWork,
  workDue,
  type WorkName
} from "../../../platform/background/index.ts"
import type { ChatAccount, ChatAccountId } from "../ChatAccount.ts"
import { ChatAccounts } from "../ChatAccounts.ts"
import { asChat } from "../ChatChannels.ts"
import type { ChannelFailure } from "../errors.ts"
import { fetchTemplates, storeTemplates } from "./templateSync.ts"

/** What fetching templates again is called among the works: each account has a lane. */
export const templateFetchesWork: WorkName = "template fetches"

/** The account that a lane of template fetches is of. */
export const accountOfTemplateLane = ({ key }: Lane) => key as ChatAccountId

/** A fetch that has begun, of the account that the lane is of. */
export interface TemplateFetch {
  readonly lane: LaneLease
  /** Goes up with each write: what is wanted meanwhile is wanted of a later one. */
  readonly revision: number
}

/** The templates of the organization's accounts that have to be fetched again, for whoever owns the lanes. */
export class TemplateFetches extends Context.Service<
  TemplateFetches,
  TenantScoped<{
    /** Begins to fetch what is wanted by then. Unless it is settled, it is wanted again then. `null` when nothing is, or the lease is lost. */
    readonly begin: (
      lane: LaneLease,
      times: { readonly now: DateTime.Utc; readonly again: DateTime.Utc }
    ) => Effect.Effect<TemplateFetch | null>
    /** It was done. What was wanted since it began is wanted still. */
    readonly settle: (fetch: TemplateFetch) => Effect.Effect<void>
    /** From when on those of the account are wanted; `null` when they are not. */
    readonly nextDue: (id: ChatAccountId) => Effect.Effect<DateTime.Utc | null>
  }>
>()("@parley/domain/messaging/chat/TemplateFetches") {}

/** How many accounts a process fetches for at once. */
const accountsAtOnce = 2

/** Several reasons to fetch within this time lead to one fetch. */
const debounce = { seconds: 5 }

/** An account that could not be asked, or whose fetcher died, is asked again after this time. */
const againAfter = { minutes: 1 }

/** Has the templates of these accounts fetched again soon: something about them is not as it was thought to be. */
export const wantTemplates = Effect.fnUntraced(function* (ids: ReadonlyArray<ChatAccountId>) {
  if (ids.length === 0) return
  yield* (yield* ChatAccounts).wantTemplates(ids, DateTime.add(yield* DateTime.now, debounce))
})

const isWorthAnotherTry = (failure: ChannelFailure): boolean =>
  failure._tag === "ChannelUnreachable" || failure.remedy === "retry" || failure.remedy === "slow_down"

/** Stores what was fetched, unless somebody else owns the lane by now and may have fetched later. */
const store = Effect.fnUntraced(function* (
  lane: LaneLease,
  account: ChatAccount,
  kept: Effect.Success<ReturnType<typeof fetchTemplates>>
) {
  yield* storeTemplates(account, kept)
  yield* (yield* LaneQueue).hold(lane)
}, transact)

/** Asks the provider, unless the account cannot; says whether that is settled. */
const fetch = Effect.fnUntraced(
  function* (lane: LaneLease) {
    const [account] = yield* (yield* ChatAccounts).find([accountOfTemplateLane(lane)])
    if (account !== undefined && account.status !== "disconnected") {
      yield* store(lane, account, yield* fetchTemplates(account))
    }
    return true
  },
  Effect.catchTags({
    ChannelRefused: (failure) => Effect.succeed(!isWorthAnotherTry(failure)),
    // It was removed: once it is connected again, they are wanted again.
    NotFound: () => Effect.succeed(true),
    UnsupportedByChannel: () => Effect.succeed(true),
    ChannelUnreachable: (failure) => Effect.succeed(!isWorthAnotherTry(failure))
  })
)

const refresh = Effect.fnUntraced(function* (lane: LaneLease) {
  const fetches = yield* TemplateFetches
  const now = yield* DateTime.now
  const begun = yield* fetches.begin(lane, { now, again: DateTime.add(now, againAfter) })
  if (begun !== null && (yield* fetch(lane))) yield* fetches.settle(begun)
})

/** Templates that may have changed at the provider are fetched account by account. */
export const templateFetches = laneWork({
  name: templateFetchesWork,
  concurrency: accountsAtOnce,
  run: (lane) => asChat(lane.organizationId)(refresh(lane)),
  nextDue: (lane) =>
    asChat(lane.organizationId)(
      Effect.flatMap(TemplateFetches, (fetches) => fetches.nextDue(accountOfTemplateLane(lane)))
    )
})

/** Fetches the templates of every account that wants it and that nobody else fetches for. */
export const refreshTemplates = workDue(templateFetches)
