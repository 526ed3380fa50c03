import { Context, Effect, Layer } from "effect"

/**
 * Provides the build context of a layer to effects that another area runs without knowledge of their requirements. The run context takes precedence
 * and must be `Inside`: a unit of work, an organization. The type of the layer must guarantee the rest.
 */
export const withContext =
  <Inside>(outside: Context.Context<never>) =>
  <A, E>(effect: Effect.Effect<A, E, unknown>): Effect.Effect<A, E, Inside> =>
    Effect.updateContext(
      effect,
      (inside: Context.Context<Inside>) => Context.merge(outside, inside) as Context.Context<unknown>
    )

/** The methods of a port with any requirements. */
type Implementation<Port> = {
  readonly [Name in keyof Port]: Port[Name] extends (...args: infer Args) => Effect.Effect<infer A, infer E, infer _R>
    ? (...args: Args) => Effect.Effect<A, E, unknown>
    : Port[Name]
}

type ServicesOf<Method> = Method extends (...args: never) => Effect.Effect<infer _A, infer _E, infer R> ? R : never

/** Services that the methods require and the callers of the port do not provide. */
type MissingServices<Port, Methods> = {
  [Name in keyof Port & keyof Methods]: Exclude<ServicesOf<Methods[Name]>, ServicesOf<Port[Name]>>
}[keyof Port & keyof Methods]

/** Implements a port of a lower area. The layer requires the services that the callers of the port do not provide. */
export const layerPort = <Self, Port extends object, const Methods extends Implementation<Port>>(
  port: Context.Service<Self, Port>,
  methods: Methods
): Layer.Layer<Self, never, MissingServices<Port, Methods>> =>
  Layer.effect(
    port,
    Effect.contextWith((outside: Context.Context<MissingServices<Port, Methods>>) => {
      const within = withContext<unknown>(outside)
      const provided = Object.entries(methods).map(([name, method]) => [
        name,
        typeof method === "function" ? (...args: ReadonlyArray<unknown>) => within(method(...args)) : method
      ])
      return Effect.succeed(port.of(Object.fromEntries(provided)))
    })
  )
