import { Context, Effect, Layer, References, type Scope, Tracer } from "effect"

/** How many services a request may add to those of the server. */
const mostOfRequest = 32

/**
 * Builds a server so that a request costs no copy of all its services, which a context makes after every 8 that are added, and no span,
 * unless somebody traces.
 */
export const layerServing = <A, E, R>(server: Layer.Layer<A, E, R>): Layer.Layer<A, E, R> =>
  Layer.effectContext(
    Effect.updateContext(Layer.build(server), (context: Context.Context<R | Scope.Scope>) => {
      const services: Context.Context<R | Scope.Scope> = Context.makeUnsafe(context.mapUnsafe, {
        maxDepth: mostOfRequest
      })
      return Context.get(context, Tracer.Tracer) === Tracer.nativeTracer
        ? Context.add(services, References.TracerEnabled, false)
        : services
    })
  )
