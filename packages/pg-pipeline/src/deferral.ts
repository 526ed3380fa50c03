import { Context, Effect } from "effect"

/** Receives the rows of a deferred statement. */
export class DeferredRows {
  rows: ReadonlyArray<unknown> | null = null
}

/** Statements of a transaction that are sent with the next one. With `DeferredRows`, all statements are deferred, and it receives their rows. */
export const Deferral = Context.Reference<"nothing" | "savepoints" | "everything" | DeferredRows>(
  "@parley/pg-pipeline/Deferral",
  { defaultValue: () => "savepoints" }
)

/**
 * Sends the statements of a transaction with the next one, or with the commit, to save a round trip. They return nothing, and their failure surfaces
 * in the next statement. Use it only for statements whose rows are not read and whose failure cannot be handled.
 */
export const deferToNext: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> = Effect.provideService(
  Deferral,
  "everything"
)

/** Waits for each statement of a transaction. */
export const sequential: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> = Effect.provideService(
  Deferral,
  "nothing"
)

/**
 * Sends two statements together where a transaction allows it. The second statement sees the locks and writes of the first. If the first fails, its
 * failure is returned.
 */
export const pipelinePair = Effect.fnUntraced(function* <A, B, E, R, E2, R2>(
  first: Effect.Effect<ReadonlyArray<A>, E, R>,
  second: Effect.Effect<B, E2, R2>
) {
  const deferred = new DeferredRows()
  const answered = yield* Effect.provideService(first, Deferral, deferred)
  const after = yield* second
  return [(deferred.rows as ReadonlyArray<A> | null) ?? answered, after] as const
})
