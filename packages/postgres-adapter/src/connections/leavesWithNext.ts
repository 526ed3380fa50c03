import { Context, Effect } from "effect"

/** The answer of a statement that is sent with the next one. */
export class Answer {
  rows: ReadonlyArray<unknown> | null = null
}

/** Which statements of a transaction are sent with the next one; with a place for it, all of them, and their answer is kept. */
export const LeavesWithNext = Context.Reference<"nothing" | "savepoints" | "everything" | Answer>(
  "@parley/postgres-adapter/connections/LeavesWithNext",
  { defaultValue: () => "savepoints" }
)

/**
 * Has the statements of a transaction be sent with the next one, or with the commit, so that nobody waits for them alone. They answer
 * nothing, and if one fails, it is the next one that fails: so this is for statements whose rows nobody reads, and whose failure
 * nobody can do anything about.
 */
export const leavesWithNext: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> =
  Effect.provideService(LeavesWithNext, "everything")

/** Has each statement of a transaction be waited for. */
export const oneByOne: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> = Effect.provideService(
  LeavesWithNext,
  "nothing"
)

/**
 * Asks for one thing and for another one right behind it, so that both leave together where a transaction can do so. The second one sees what
 * the first one has waited for and written. If the first one fails, it is that failure that is told.
 */
export const oneBehindTheOther = Effect.fnUntraced(function* <A, B, E, R, E2, R2>(
  first: Effect.Effect<ReadonlyArray<A>, E, R>,
  second: Effect.Effect<B, E2, R2>
) {
  const answer = new Answer()
  const answered = yield* Effect.provideService(first, LeavesWithNext, answer)
  const after = yield* second
  return [(answer.rows as ReadonlyArray<A> | null) ?? answered, after] as const
})
