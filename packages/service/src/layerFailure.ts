import { type Cause, Effect, Layer } from "effect"

/** A layer that cannot be built, in the place of one that could. */
export const layerFailure = <Out, E>(cause: Cause.Cause<E>): Layer.Layer<Out, E> =>
  Layer.effectContext<Out, E, never>(Effect.failCause(cause))
