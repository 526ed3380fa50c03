import type { Effect } from "effect"
import type { Load } from "./load/Load.ts"

/** What came of one round. */
export interface Outcome {
  readonly perSecond: number
  readonly load: Load | null
}

/** Somebody who is measured, one round at a time. */
export interface Contestant<E, R> {
  readonly name: string
  /** The processes that serve; none when PostgreSQL is asked directly. */
  readonly pids: ReadonlyArray<number>
  readonly run: (seconds: number, seed: number) => Effect.Effect<Outcome, E, R>
}
