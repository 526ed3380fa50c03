import { Effect, Result } from "effect"
import { type NotFound, ValidationFailed } from "../../kernel/index.ts"

type Refusal = ValidationFailed | NotFound

/** What came of several checks: their faults are told all together, and what does not exist where there is no fault. */
export const everyFault = Effect.fnUntraced(function* (
  results: ReadonlyArray<Result.Result<unknown, Refusal>>
): Effect.fn.Return<void, Refusal> {
  const refusals = results.flatMap((result) => (Result.isFailure(result) ? [result.failure] : []))
  const errors = refusals.flatMap((refusal) => (refusal._tag === "ValidationFailed" ? refusal.errors : []))
  if (errors.length > 0) return yield* new ValidationFailed({ errors })
  const [first] = refusals
  if (first !== undefined) return yield* first
})
