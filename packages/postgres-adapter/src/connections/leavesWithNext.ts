import { Context, Effect } from "effect"

/** Which statements of a transaction are sent with the next one. */
export const LeavesWithNext = Context.Reference<"nothing" | "savepoints" | "everything">(
  "@parley/postgres-adapter/connections/LeavesWithNext",
  { defaultValue: () => "savepoints" }
)

/**
 * Has the statements of a transaction be sent with the next one, or with the commit, so that nobody waits for them alone. They answer
 * nothing, and if one fails, it is the next one that fails: so this is for statements whose rows nobody reads, and whose failure
 * nobody can do anything about.
 */
export const leavesWithNext: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> =
  Effect.provideService(LeavesWithNext, "everything")

/** Has each statement of a transaction be waited for. */
export const oneByOne: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> = Effect.provideService(
  LeavesWithNext,
  "nothing"
)
