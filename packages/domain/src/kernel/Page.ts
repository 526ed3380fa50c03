import { Context, Effect, Schema } from "effect"
import type { TenantScoped } from "./CurrentActor.ts"
import type { CursorInvalid } from "./errors.ts"

/**
 * Something as answers write it: the JSON of it by its schema, in UTF-8, finished by whoever read it. The domain passes it on and
 * does not look inside.
 */
export class EncodedJson<out A> {
  declare protected readonly of: A
  readonly json: Uint8Array

  constructor(json: Uint8Array) {
    this.json = json
  }
}

/** A row of a list that is passed on as it was rendered, and its key in the order of the list. */
export interface EncodedRow<A> {
  readonly rendered: EncodedJson<A>
  readonly key: ReadonlyArray<string>
}

/** What was found of a list that is passed on as it was rendered. */
export interface EncodedRows<A> {
  readonly rows: ReadonlyArray<EncodedRow<A>>
  /** The key after which to look on; `null` if everything was looked through, or as much was found as was asked for. */
  readonly resume: ReadonlyArray<string> | null
}

/** How much of a list to read, and from where: what the caller asked for. */
export interface PageRequest {
  readonly limit: number
  readonly cursor: string | null
}

/** How much of a list a port reads: at most `limit` rows that come after the key of the last row seen. */
export interface Slice {
  readonly limit: number
  readonly after: ReadonlyArray<string> | null
}

/** A page of a list. `nextCursor` is `null` on the last one. */
export interface Page<A> {
  readonly data: ReadonlyArray<A>
  readonly nextCursor: string | null
}

/** The schema of a page of these. */
export const Page = <S extends Schema.Top>(item: S) =>
  Schema.Struct({ data: Schema.Array(item), nextCursor: Schema.NullOr(Schema.String) })

/** Seals the key of the last row of a page into an opaque text that cannot be forged, and opens it again. */
export class Cursors extends Context.Service<
  Cursors,
  TenantScoped<{
    readonly seal: (list: string, key: ReadonlyArray<string>) => Effect.Effect<string>
    readonly open: (list: string, cursor: string) => Effect.Effect<ReadonlyArray<string>, CursorInvalid>
  }>
>()("@parley/domain/kernel/Cursors") {}

/** A cursor for the beginning of a list, for one that goes on after the end of another. */
export const startCursor = (list: string) => Effect.flatMap(Cursors, (cursors) => cursors.seal(list, []))

/** Reads one page of a list whose reading may stop before the page is full: then the next one goes on from there. */
export const pagedPartial = Effect.fnUntraced(function* <A, E, R>(
  list: string,
  request: PageRequest,
  read: (
    slice: Slice
  ) => Effect.Effect<{ readonly rows: ReadonlyArray<A>; readonly resume: ReadonlyArray<string> | null }, E, R>,
  keyOf: (item: A) => ReadonlyArray<string>
) {
  const cursors = yield* Cursors
  const opened = request.cursor === null ? null : yield* cursors.open(list, request.cursor)
  const after = opened?.length === 0 ? null : opened
  const { resume, rows } = yield* read({ limit: request.limit + 1, after })
  const data = rows.slice(0, request.limit)
  const last = data.at(-1)
  const next = rows.length > request.limit && last !== undefined ? keyOf(last) : resume
  return { data, nextCursor: next === null ? null : yield* cursors.seal(list, next) }
})

/** Reads one page: opens the cursor, reads one row more than asked to see whether there is a next page, seals its cursor. */
export const paged = <A, E, R>(
  list: string,
  request: PageRequest,
  read: (slice: Slice) => Effect.Effect<ReadonlyArray<A>, E, R>,
  keyOf: (item: A) => ReadonlyArray<string>
) => pagedPartial(list, request, (slice) => Effect.map(read(slice), (rows) => ({ rows, resume: null })), keyOf)

/** Reads one page as `pagedWithin`, of rows that are passed on as they were rendered. */
export const pagedEncoded = <A, E, R>(
  list: string,
  request: PageRequest,
  read: (slice: Slice) => Effect.Effect<EncodedRows<A>, E, R>
) =>
  Effect.map(
    pagedPartial(list, request, read, ({ key }) => key),
    ({ data, nextCursor }): Page<EncodedJson<A>> => ({ data: data.map(({ rendered }) => rendered), nextCursor })
  )
