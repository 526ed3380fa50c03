import { Context, Effect } from "effect"

/**
 * Gives effects of one area, which another area runs without knowing what they need, what was there when a layer was built.
 * What they find round them when they run comes first, and has to be `Inside`: a unit of work, an organization. That the rest
 * was there is for the type of the layer to say.
 */
export const supplying =
  <Inside>(outside: Context.Context<never>) =>
  <A, E>(effect: Effect.Effect<A, E, unknown>): Effect.Effect<A, E, Inside> =>
    Effect.updateContext(
      effect,
      (inside: Context.Context<Inside>) => Context.merge(outside, inside) as Context.Context<unknown>
    )
