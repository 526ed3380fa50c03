import { Context, Effect, Schema } from "effect"
import type { TenantScoped } from "./CurrentActor.ts"
import type { CursorInvalid } from "./errors.ts"

/** Value encoded as JSON by its schema, in UTF-8, by the reading adapter. The domain passes it on unread. */
export class EncodedJson<out A> {
  declare protected readonly of: A
  readonly json: Uint8Array

  constructor(json: Uint8Array) {
    this.json = json
  }
}

/** Encoded list row, with its key in list order. */
export interface EncodedRow<A> {
  readonly rendered: EncodedJson<A>
  readonly key: ReadonlyArray<string>
}

/** Result of reading an encoded list. */
export interface EncodedRows<A> {
  readonly rows: ReadonlyArray<EncodedRow<A>>
  /** Key to continue after; `null` if the list was read completely, or the requested number of rows was found. */
  readonly resume: ReadonlyArray<string> | null
}

/** Page size and cursor of the caller. */
export interface PageRequest {
  readonly limit: number
  readonly cursor: string | null
}

/** Rows that a port reads: at most `limit` after the key of the last read row. */
export interface Slice {
  readonly limit: number
  readonly after: ReadonlyArray<string> | null
}

/** Page of a list. `nextCursor` is `null` on the last one. */
export interface Page<A> {
  readonly data: ReadonlyArray<A>
  readonly nextCursor: string | null
}

export const Page = <S extends Schema.Top>(item: S) =>
  Schema.Struct({ data: Schema.Array(item), nextCursor: Schema.NullOr(Schema.String) })

/** Seals the key of the last row of a page into an opaque unforgeable text, and opens it again. */
export class Cursors extends Context.Service<
  Cursors,
  TenantScoped<{
    readonly seal: (list: string, key: ReadonlyArray<string>) => Effect.Effect<string>
    readonly open: (list: string, cursor: string) => Effect.Effect<ReadonlyArray<string>, CursorInvalid>
  }>
>()("@parley/domain/kernel/Cursors") {}

/** Returns a cursor for the start of a list, for a list that continues another one. */
export const startCursor = (list: string) => Effect.flatMap(Cursors, (cursors) => cursors.seal(list, []))

/** Reads one page of a list whose read may stop before the page is full. The next page continues there. */
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

/** Reads one page. It reads one more row than requested to detect a next page, and seals its cursor. */
export const paged = <A, E, R>(
  list: string,
  request: PageRequest,
  read: (slice: Slice) => Effect.Effect<ReadonlyArray<A>, E, R>,
  keyOf: (item: A) => ReadonlyArray<string>
) => pagedPartial(list, request, (slice) => Effect.map(read(slice), (rows) => ({ rows, resume: null })), keyOf)

/** Reads one page of encoded rows like `pagedPartial`. */
export const pagedEncoded = <A, E, R>(
  list: string,
  request: PageRequest,
  read: (slice: Slice) => Effect.Effect<EncodedRows<A>, E, R>
) =>
  Effect.map(
    pagedPartial(list, request, read, ({ key }) => key),
    ({ data, nextCursor }): Page<EncodedJson<A>> => ({ data: data.map(({ rendered }) => rendered), nextCursor })
  )
