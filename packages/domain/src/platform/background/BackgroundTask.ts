import { Cause, Context, DateTime, Effect, Random } from "effect"
import {
  asSystem,
  type CurrentActor,
  type CurrentOrganization,
  isStorageUnavailable,
  type OrganizationId
} from "../../kernel/index.ts"

/** Trigger that ends the wait for more work. Every work also polls, because work of a crashed process sends no notification. */
export interface WakeTrigger<out R> {
  /** Completes when this or another process may have added work. Spurious completion is possible. */
  readonly notification?: Effect.Effect<void, never, R>
  /** Time of the next postponed work; `null` when no work is postponed. */
  readonly due?: Effect.Effect<DateTime.Utc | null, never, R>
}

/** Background task of an area. Any worker process can run it. */
export interface BackgroundTask<out R> {
  /** Short name for the log and for operators. */
  readonly name: string
  /** Works until no more work is possible now. On interruption it waits for outbound calls in flight and releases all other resources immediately. */
  readonly run: Effect.Effect<unknown, unknown, R>
  /** Schedule. `"housekeeping"` runs in the shared housekeeping round every ten minutes, `"hourly"` in every sixth round. */
  readonly wake: WakeTrigger<R> | "housekeeping" | "hourly"
  /** Number of concurrent runs in one process. */
  readonly lanes: number
  /** Whether this deployment has such work; evaluated once. Default: true. */
  readonly isNeeded?: Effect.Effect<boolean, never, R>
}

/** Declares a sweep. It must tolerate concurrent runs in several processes. */
export const sweep = <E, R>(name: string, run: Effect.Effect<unknown, E, R>): BackgroundTask<R> => ({
  name: `sweep of ${name}`,
  run,
  wake: "housekeeping",
  lanes: 1
})

const minWaitMillis = 20

/** Jitter prevents simultaneous polls of several processes. */
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

/** Waits for a notification, due work or the next poll. */
export const awaitNextRun = <R>({ due, notification = Effect.never }: WakeTrigger<R>, lookMillis: number) =>
  Effect.gen(function* () {
    const wait = Math.min(yield* jitteredPollMillis(lookMillis), yield* millisUntilDue(due))
    yield* Effect.timeoutOrElse(
      Effect.catchCause(notification, () => Effect.never),
      { duration: wait, orElse: () => Effect.void }
    )
  })

/** Ids of all organizations, for work that visits each organization. Not tenant-scoped. */
export class OrganizationIds extends Context.Service<
  OrganizationIds,
  {
    /** The next organizations in id order, at most `limit`; `null` starts at the beginning. */
    readonly after: (id: OrganizationId | null, limit: number) => Effect.Effect<ReadonlyArray<OrganizationId>>
  }
>()("@parley/domain/platform/background/OrganizationIds") {}

const pageSize = 1_000

const asHousekeeping = asSystem("housekeeping")

/**
 * Deletes expired data per organization, because each statement names one organization. A failure of one organization does not stop the others; a
 * storage outage ends the round. It must tolerate concurrent runs in several processes.
 */
export const sweepOrganizations = <E, R>(
  name: string,
  run: Effect.Effect<unknown, E, R>,
  wake: "housekeeping" | "hourly" = "hourly",
  /** Number of organizations at a time, for work that waits for other services. */
  concurrency = 1
): BackgroundTask<OrganizationIds | Exclude<Exclude<R, CurrentOrganization>, CurrentActor>> => {
  const sweepOne = (id: OrganizationId) =>
    Effect.catchCauseIf(
      asHousekeeping(id)(run),
      (cause) => !Cause.hasInterrupts(cause) && !isStorageUnavailable(cause),
      (cause) => Effect.logError(`The sweep of ${name} of the organization ${id} failed; Parley continues`, cause)
    )
  const sweepAll = Effect.gen(function* () {
    const organizations = yield* OrganizationIds
    let last: OrganizationId | null = null
    while (true) {
      const ids: ReadonlyArray<OrganizationId> = yield* organizations.after(last, pageSize)
      yield* Effect.forEach(ids, sweepOne, { concurrency, discard: true })
      if (ids.length < pageSize) return
      last = ids.at(-1) ?? null
    }
  })
  return { ...sweep(name, sweepAll), wake }
}
