import { NotFound, ValidationFailed } from "@parley/domain"
import { Effect } from "effect"

const moved = <E>(error: E, to: (pointer: string) => string): E | NotFound | ValidationFailed => {
  if (error instanceof ValidationFailed) {
    return new ValidationFailed({
      errors: error.errors.map(({ message, pointer }) => ({ pointer: to(pointer), message }))
    })
  }
  if (error instanceof NotFound && error.pointer !== undefined) {
    return new NotFound({ resource: error.resource, pointer: to(error.pointer) })
  }
  return error
}

/** A use case points into what it was given; this says where in the request that stood. */
export const pointing =
  (to: (pointer: string) => string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | NotFound | ValidationFailed, R> =>
    Effect.mapError(effect, (error) => moved(error, to))
