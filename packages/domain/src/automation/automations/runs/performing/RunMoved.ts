import { Effect, Schema } from "effect"

/** Somebody else has changed the run: it was handed to another contact, or forgotten. */
export class RunMoved extends Schema.TaggedError<RunMoved>()("RunMoved", {}) {
  override get message() {
    return "The run was changed by somebody else."
  }
}

/** So often in a row does nobody change a run between the moments in which it is read and kept. */
const mostTries = 10

/** Reads and keeps a run once more, as it is by then, where somebody else has changed it in between. */
export const withRunAsItIs = <A, R>(keeping: Effect.Effect<A, RunMoved, R>): Effect.Effect<A, never, R> =>
  Effect.orDie(Effect.retry(keeping, { times: mostTries - 1 }))
