import { Context, Effect } from "effect"

/**
 * Provides the context in which a layer was built to effects that another area runs without knowing what they need. The context
 * in which they run comes first, and has to be `Inside`: a unit of work, an organization. The type of the layer has to ensure
 * that the rest was there.
 */
export const withContext =
  <Inside>(outside: Context.Context<never>) =>
  <A, E>(effect: Effect.Effect<A, E, unknown>): Effect.Effect<A, E, Inside> =>
    Effect.updateContext(
      effect,
      (inside: Context.Context<Inside>) => Context.merge(outside, inside) as Context.Context<unknown>
    )
