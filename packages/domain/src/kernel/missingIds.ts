import { Effect } from "effect"
import { NotFound, ValidationFailed } from "./errors.ts"

/** Turns an unknown id of the request body into a validation error. An unknown id of the path stays as it is. */
export const missingIdsAreInvalid = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.catchIf(
    effect,
    (error): error is E & NotFound => error instanceof NotFound && error.pointer !== undefined,
    ({ message, pointer = "" }) => Effect.fail(new ValidationFailed({ errors: [{ pointer, message }] }))
  )
