import type { Page, PageRequest } from "@parley/domain/kernel"
import { WrongUsage } from "@parley/service/configuration"
import { Effect, Schema, SchemaTransformation } from "effect"
import { CliError, Flag } from "effect/cli"
import * as Flags from "./flags.ts"
import { similar } from "./nearest.ts"
import type { View } from "./print.ts"

/** A filter of a list: one value, or any of several. */
export interface Filter<A> {
  readonly several: boolean
  readonly read: (text: string) => Effect.Effect<A, Schema.SchemaError>
}

/** Creates a filter that takes one value. */
export const one = <A>(schema: Schema.ConstraintCodec<A, string>): Filter<A> => ({
  several: false,
  read: Schema.decodeEffect(schema)
})

/** Creates a repeatable filter. A row matches any of its values. */
export const several = <A>(schema: Schema.ConstraintCodec<A, string>): Filter<ReadonlyArray<A>> => ({
  several: true,
  read: (text) => Effect.map(Schema.decodeEffect(schema)(text), (value) => [value])
})

/** Boolean value of a filter. */
export const TrueOrFalse = Schema.Literals(["true", "false"]).pipe(
  Schema.decodeTo(
    Schema.Boolean,
    SchemaTransformation.transform({ decode: (text) => text === "true", encode: (value) => (value ? "true" : "false") })
  )
)

/** Position of an event. */
export const Position = Schema.FiniteFromString.pipe(Schema.check(Schema.isInt(), Schema.isGreaterThan(0)))

type Filters = Readonly<Record<string, Filter<unknown>>>

/** Filter values of a list, by the names of its filters. */
export type Narrowed<F extends Filters> = {
  readonly [Name in keyof F]?: F[Name] extends Filter<infer A> ? A : never
}

const describe = (filters: Filters) => Object.keys(filters).join(", ")

const readAll = <F extends Filters>(filters: F) =>
  Effect.fnUntraced(function* (texts: ReadonlyArray<string>) {
    const found: Record<string, unknown> = {}
    const wrong = (value: string, expected: string) =>
      new CliError.InvalidValue({ option: "filter", value, expected, kind: "flag" })
    for (const text of texts) {
      const at = text.indexOf("=")
      const name = at === -1 ? text : text.slice(0, at)
      const filter = Object.hasOwn(filters, name) ? filters[name] : undefined
      if (filter === undefined) {
        return yield* wrong(text, `Expected one of ${describe(filters)}.${similar(name, Object.keys(filters))}`)
      }
      if (at === -1) return yield* wrong(text, `Expected ${name}= and a value`)
      const value = yield* Effect.mapError(filter.read(text.slice(at + 1)), ({ message }) => wrong(text, message))
      const before = found[name]
      if (before !== undefined && !filter.several) return yield* wrong(text, `Expected ${name} once`)
      found[name] = Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value
    }
    return found as Narrowed<F>
  })

/** Flag `--filter` with these names. */
export const filterFlag = <const F extends Filters>(filters: F, of: string) =>
  Flag.String("filter").pipe(
    Flag.withMetavar("name=value"),
    Flag.withDescription(`Filter of the ${of}; repeatable (${describe(filters)})`),
    Flag.atLeast(0),
    Flag.mapEffect(readAll(filters))
  )

/** Flags of a list without filters: page and output format. */
export const pageFlags = { limit: Flags.limit, json: Flags.json, quiet: Flags.quiet }

/** Flags of a list with filters: page, filters and output format. */
export const listFlags = <const F extends Filters>(filters: F) => ({
  ...pageFlags,
  filter: filterFlag(filters, "list")
})

/** View of a list with this filter. With a filter, no rows means no match. */
export const filteredView = <A>(view: View<A>, filter: object): View<A> =>
  view.noMatch === undefined || Object.keys(filter).length === 0 ? view : { ...view, none: view.noMatch }

/** Combines `--filter` with the other flags of a list. A value in both is an error. */
export const narrowed = Effect.fnUntraced(function* <F extends object>(filter: F, own: Partial<F>) {
  const twice = Object.keys(own).find((name) => Object.hasOwn(filter, name))
  if (twice !== undefined) {
    return yield* new WrongUsage({ message: `${twice} is specified twice. Leave out --filter ${twice}=… or the flag.` })
  }
  return { ...filter, ...own }
})

const pageSize = 100

/** Converts the page to the API contract. */
export const queryOf = ({ cursor, limit }: PageRequest) => ({ limit, ...(cursor !== null && { cursor }) })

/** Reads pages up to the number of rows, and returns whether more exist. */
export const collect = Effect.fnUntraced(function* <A, E, R>(
  limit: number,
  read: (page: PageRequest) => Effect.Effect<Page<A>, E, R>
) {
  const rows: Array<A> = []
  let cursor: string | null = null
  do {
    const page: Page<A> = yield* read({ limit: Math.min(pageSize, limit - rows.length), cursor })
    rows.push(...page.data)
    cursor = page.nextCursor
  } while (cursor !== null && rows.length < limit)
  return { rows, isCut: cursor !== null }
})

/** Does the same for a list that continues after the id of its last row. */
export const collectAfter = Effect.fnUntraced(function* <A, E, R>(
  limit: number,
  read: (limit: number, last: A | null) => Effect.Effect<ReadonlyArray<A>, E, R>
) {
  const rows: Array<A> = []
  let last: A | null = null
  do {
    const batch: ReadonlyArray<A> = yield* read(Math.min(pageSize, limit + 1 - rows.length), last)
    rows.push(...batch)
    last = batch.at(-1) ?? null
  } while (last !== null && rows.length <= limit)
  return { rows: rows.slice(0, limit), isCut: rows.length > limit }
})
