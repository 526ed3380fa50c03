import { NotFound, ValidationFailed } from "@parley/domain"
import { Effect } from "effect"

const moved = (error: unknown, to: (pointer: string) => string): unknown => {
  if (error instanceof ValidationFailed) {
    return new ValidationFailed({
      errors: error.errors.map(({ message, pointer }) => ({ pointer: to(pointer), message }))
    })
  }
  if (error instanceof NotFound && error.pointer !== undefined) {
    return new NotFound({
      resource: error.resource,
      pointer: to(error.pointer),
      ...(error.by !== undefined && { by: error.by })
    })
  }
  return error
}

/** Translates the pointers of a use case's faults into pointers into the request. */
export const withFaultPointers =
  (to: (pointer: string) => string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    // Each error stays of its kind.
    Effect.mapError(effect, (error) => moved(error, to) as E)
