import type { DateTime, Effect } from "effect"
import type { LaneLease, WorkName } from "./Lane.ts"

/** What the owner of a lane can wait for while it works at the lane. */
export interface Turn {
  /** Completes when work may have been added since it last completed; it may complete for nothing. */
  readonly notification: Effect.Effect<void>
  /** Whether all places of the process are taken, so that other lanes may wait for one. Whoever works for long ends its turn then. */
  readonly isCrowded: () => boolean
}

/** Work that is done lane by lane, declared by the area that knows it. */
export interface LaneWork<out R> {
  readonly name: WorkName
  /** How many lanes a process works at side by side. */
  readonly concurrency: number
  /**
   * Works at a lane. `closed` says that it has closed or postponed the lane itself; otherwise `nextDue` is asked after it.
   * When the shard goes to another process, or this one stops, it is interrupted; what must not be cut off is uninterruptible.
   */
  readonly run: (lease: LaneLease, turn: Turn) => Effect.Effect<"closed" | void, unknown, R>
  /** When the lane has to be looked after again; `null` when there is nothing in it. */
  readonly nextDue: (lease: LaneLease) => Effect.Effect<DateTime.Utc | null, never, R>
  /** Whether there is such work here at all, asked once; there is if not said. */
  readonly isNeeded?: Effect.Effect<boolean, never, R>
}

/** Declares work that is done lane by lane. */
export const laneWork = <R, Asked = never>(
  work: Omit<LaneWork<R>, "isNeeded"> & Pick<LaneWork<Asked>, "isNeeded">
): LaneWork<R | Asked> => work
