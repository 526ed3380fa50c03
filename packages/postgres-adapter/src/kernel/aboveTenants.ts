import { Context, Effect } from "effect"

/** Whether what runs is outside of every organization, whichever it was asked in. */
export const IsAboveTenants = Context.Reference<boolean>("@parley/postgres-adapter/kernel/IsAboveTenants", {
  defaultValue: () => false
})

/** Outside of every organization: for the rare question of one organization that all of them have to be asked. */
export const aboveTenants: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> = Effect.provideService(
  IsAboveTenants,
  true
)
