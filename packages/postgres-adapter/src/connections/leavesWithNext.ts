import { Context, Effect } from "effect"

/** Answer of a statement that is sent with the next one. */
export class Answer {
  rows: ReadonlyArray<unknown> | null = null
}

/** Statements of a transaction that are sent with the next one. With an `Answer`, all statements are sent so, and it receives their answer. */
export const LeavesWithNext = Context.Reference<"nothing" | "savepoints" | "everything" | Answer>(
  "@parley/postgres-adapter/connections/LeavesWithNext",
  { defaultValue: () => "savepoints" }
)

/**
 * Sends the statements of a transaction with the next one, or with the commit, to save a round trip. They return nothing, and their failure surfaces
 * in the next statement. Use it only for statements whose rows are not read and whose failure cannot be handled.
 */
export const leavesWithNext: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> =
  Effect.provideService(LeavesWithNext, "everything")

/** Waits for each statement of a transaction. */
export const oneByOne: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> = Effect.provideService(
  LeavesWithNext,
  "nothing"
)

/**
 * Sends two statements together where a transaction allows it. The second statement sees the locks and writes of the first. If the first fails, its
 * failure is returned.
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
