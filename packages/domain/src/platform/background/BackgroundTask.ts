import { Cause, Context, DateTime, Effect, Random } from "effect"
import {
  asSystem,
  type CurrentActor,
  type CurrentOrganization,
  isStorageUnavailable,
  type OrganizationId
} from "../../kernel/index.ts"

/** What ends the wait for more to do. Every work also polls, because what a dead process left behind sends no notification. */
export interface WakeTrigger<out R> {
  /** Completes when there may be something to do, through this process or another; it may complete for nothing. */
  readonly notification?: Effect.Effect<void, never, R>
  /** When something that was postponed is due; `null` when nothing is. */
  readonly due?: Effect.Effect<DateTime.Utc | null, never, R>
}

/** Work that an area has done in the background, whichever process does it. */
export interface BackgroundTask<out R> {
  /** What it works on, in a word or two: for the log and for operators. */
  readonly name: string
  /**
   * Does what there is to do, until nothing can be done now. When it is interrupted, it waits for calls to the outside that are
   * in flight, and releases everything else at once.
   */
  readonly run: Effect.Effect<unknown, unknown, R>
  /**
   * When it runs again; `"housekeeping"` takes its turn with all other housekeeping, every ten minutes, and `"hourly"` in each
   * sixth round of it.
   */
  readonly wake: WakeTrigger<R> | "housekeeping" | "hourly"
  /** How many of it a process does side by side. */
  readonly lanes: number
  /** Whether there is such work here at all, asked once; there is if not said. */
  readonly isNeeded?: Effect.Effect<boolean, never, R>
}

/** Deletes what has expired. It must tolerate running in several processes at once. */
export const sweep = <E, R>(name: string, run: Effect.Effect<unknown, E, R>): BackgroundTask<R> => ({
  name: `sweep of ${name}`,
  run,
  wake: "housekeeping",
  lanes: 1
})

const minWaitMillis = 20

/** Jitter keeps processes from polling at the same moment. */
const jitteredPollMillis = (lookMillis: number) =>
  Effect.map(Random.nextBetween(0.8, 1.2), (jitter) => lookMillis * jitter)

const millisUntilDue = <R>(due: WakeTrigger<R>["due"]) =>
  due === undefined
    ? Effect.succeed(Infinity)
    : Effect.gen(function* () {
        const at = yield* Effect.catchCause(due, () => Effect.succeed(null))
        if (at === null) return Infinity
        const wait = DateTime.toEpochMillis(at) - DateTime.toEpochMillis(yield* DateTime.now)
        return Math.max(wait, minWaitMillis)
      })

/** Waits until there may be more to do: a notification arrives, something is due, or it is time to poll. */
export const awaitNextRun = <R>({ due, notification = Effect.never }: WakeTrigger<R>, lookMillis: number) =>
  Effect.gen(function* () {
    const wait = Math.min(yield* jitteredPollMillis(lookMillis), yield* millisUntilDue(due))
    yield* Effect.timeoutOrElse(
      Effect.catchCause(notification, () => Effect.never),
      { duration: wait, orElse: () => Effect.void }
    )
  })

/** The ids of all organizations, for what is done for each of them in turn. It stands above tenants. */
export class OrganizationIds extends Context.Service<
  OrganizationIds,
  {
    /** The next ones in the order of their ids, at most `limit`; `null` is before the first. */
    readonly after: (id: OrganizationId | null, limit: number) => Effect.Effect<ReadonlyArray<OrganizationId>>
  }
>()("@parley/domain/platform/background/OrganizationIds") {}

const pageSize = 1_000

const asHousekeeping = asSystem("housekeeping")

/**
 * Deletes what has expired, organization by organization, so that each statement names one. If one of them cannot be swept, the
 * others are; a storage that is away ends the round. It must tolerate running in several processes at once.
 */
export const sweepOrganizations = <E, R>(
  name: string,
  run: Effect.Effect<unknown, E, R>,
  wake: "housekeeping" | "hourly" = "hourly"
): BackgroundTask<OrganizationIds | Exclude<Exclude<R, CurrentOrganization>, CurrentActor>> => {
  const sweepOne = (id: OrganizationId) =>
    Effect.catchCauseIf(
      asHousekeeping(id)(run),
      (cause) => !Cause.hasInterrupts(cause) && !isStorageUnavailable(cause),
      (cause) => Effect.logError(`The sweep of ${name} of the organization ${id} failed; it goes on`, cause)
    )
  const sweepAll = Effect.gen(function* () {
    const organizations = yield* OrganizationIds
    let last: OrganizationId | null = null
    while (true) {
      const ids: ReadonlyArray<OrganizationId> = yield* organizations.after(last, pageSize)
      for (const id of ids) yield* sweepOne(id)
      if (ids.length < pageSize) return
      last = ids.at(-1) ?? null
    }
  })
  return { ...sweep(name, sweepAll), wake }
}
