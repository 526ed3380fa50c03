import { Context, Effect } from "effect"

/** Whether statements of a transaction are sent with the next one. */
export const LeavesWithNext = Context.Reference<boolean>("@parley/postgres-adapter/connections/LeavesWithNext", {
  defaultValue: () => false
})

/**
 * Has the statements of a transaction be sent with the next one, or with the commit, so that nobody waits for them alone. They answer nothing, and if one fails, it is the
 * next one that fails: so this is for statements whose rows nobody reads, and whose failure nobody can do anything about.
 */
export const leavesWithNext: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> =
  Effect.provideService(LeavesWithNext, true)
