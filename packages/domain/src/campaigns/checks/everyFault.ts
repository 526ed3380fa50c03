import { Effect, Result } from "effect"
import { type NotFound, type PermissionDenied, ValidationFailed } from "../../kernel/index.ts"

type Refusal = ValidationFailed | NotFound | PermissionDenied

/** Joins the results of several checks: a missing permission first, then all problems together, then the first missing resource. */
export const everyFault = Effect.fnUntraced(function* (
  results: ReadonlyArray<Result.Result<unknown, Refusal>>
): Effect.fn.Return<void, Refusal> {
  const refusals = results.flatMap((result) => (Result.isFailure(result) ? [result.failure] : []))
  const denied = refusals.find((refusal) => refusal._tag === "PermissionDenied")
  if (denied !== undefined) return yield* denied
  const errors = refusals.flatMap((refusal) => (refusal._tag === "ValidationFailed" ? refusal.errors : []))
  if (errors.length > 0) return yield* new ValidationFailed({ errors })
  const [first] = refusals
  if (first !== undefined) return yield* first
})
