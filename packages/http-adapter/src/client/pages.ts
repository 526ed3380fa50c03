import { Effect, Option, Stream } from "effect"

/** Where a page starts: nothing for the first, the cursor of the page before for the others. */
export interface From {
  readonly cursor?: string
}

/** A page of a list. */
export interface Page<A> {
  readonly data: ReadonlyArray<A>
  readonly nextCursor: string | null
}

/**
 * Every page of a list, one after the other, as they are asked for.
 *
 * The feed of events always has a next cursor; there it ends when nothing more has happened yet.
 */
export const pages = <A, E, R>(
  read: (from: From) => Effect.Effect<Page<A>, E, R>
): Stream.Stream<ReadonlyArray<A>, E, R> =>
  Stream.paginate<From, ReadonlyArray<A>, E, R>({}, (from) =>
    Effect.map(read(from), ({ data, nextCursor }) => [
      [data],
      nextCursor === null || data.length === 0 ? Option.none<From>() : Option.some<From>({ cursor: nextCursor })
    ])
  )

/** Every row of a list, page by page: `all((from) => client.members.list({ query: from }))`. */
export const all = <A, E, R>(read: (from: From) => Effect.Effect<Page<A>, E, R>): Stream.Stream<A, E, R> =>
  Stream.flattenIterable(pages(read))
