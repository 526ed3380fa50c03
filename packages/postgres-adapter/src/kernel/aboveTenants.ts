import { CurrentActor, CurrentOrganization } from "@parley/domain"
import { Context, Effect } from "effect"

/** Outside of every organization: for the rare question of one organization that all of them have to be asked. */
export const aboveTenants = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.updateContext(
    effect,
    (context: Context.Context<R>) => Context.omit(CurrentOrganization, CurrentActor)(context) as Context.Context<R>
  )
