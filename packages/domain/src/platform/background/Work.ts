import type { DateTime, Effect } from "effect"

/** What ends the wait for more to do. Every work also polls, because what a dead process left behind sends no notification. */
export interface Wake<out R> {
  /** Completes when there may be something to do, through this process or another; it may complete for nothing. */
  readonly notification?: Effect.Effect<void, never, R>
  /** When something that was postponed is due; `null` when nothing is. */
  readonly due?: Effect.Effect<DateTime.Utc | null, never, R>
}

/** Work that an area has done in the background, whichever process does it. */
export interface Work<out R> {
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
  readonly wake: Wake<R> | "housekeeping" | "hourly"
  /** How many of it a process does side by side. */
  readonly lanes: number
  /** Whether there is such work here at all, asked once; there is if not said. */
  readonly isNeeded?: Effect.Effect<boolean, never, R>
}

/** Deletes what has expired. It must tolerate running in several processes at once. */
export const sweep = <E, R>(name: string, run: Effect.Effect<unknown, E, R>): Work<R> => ({
  name: `sweep of ${name}`,
  run,
  wake: "housekeeping",
  lanes: 1
})
