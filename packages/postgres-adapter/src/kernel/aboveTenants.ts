import { Context, Effect } from "effect"

/** Whether the code runs outside of every organization, for any organization of its caller. */
export const IsAboveTenants = Context.Reference<boolean>("@parley/postgres-adapter/kernel/IsAboveTenants", {
  defaultValue: () => false
})

/** Runs outside of every organization: for rare queries of one organization that must read all of them. */
export const aboveTenants: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> = Effect.provideService(
  IsAboveTenants,
  true
)
