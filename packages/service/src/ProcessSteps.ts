import type { Effect } from "effect"

/** What whoever runs a process adds to its life. */
export interface ProcessSteps<A, E1, R1, E2, R2> {
  /** Whether the database is brought up to date first. Otherwise it has to be. */
  readonly migrates: boolean
  /** Before the first call can come in. */
  readonly before: Effect.Effect<A, E1, R1>
  /** Once it does what it is there for. */
  readonly ready: (prepared: A) => Effect.Effect<void, E2, R2>
  /** When it is told to stop, before what is under way is finished. */
  readonly stopping: Effect.Effect<void>
}
