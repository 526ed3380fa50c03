import type { Effect } from "effect"
import type { Load } from "./load/Load.ts"

/** Result of one round. */
export interface Outcome {
  readonly perSecond: number
  readonly load: Load | null
}

/** A measured server or program, one round at a time. */
export interface Contestant<E, R> {
  readonly name: string
  /** The serving processes; none for direct use of PostgreSQL. */
  readonly pids: ReadonlyArray<number>
  readonly run: (seconds: number, seed: number) => Effect.Effect<Outcome, E, R>
}
