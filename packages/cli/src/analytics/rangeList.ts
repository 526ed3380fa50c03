import type { Page, PageRequest } from "@parley/domain"
import { Console, Effect, type Schema } from "effect"
import { collect } from "../console/collect.ts"
import { type Format, printRows } from "../console/print.ts"
import { headline } from "./range.ts"

type Range = Parameters<typeof headline>[0]

/** Rows of an answer over days. */
interface RangeList<A> {
  readonly rows: ReadonlyArray<A>
  readonly isCut: boolean
  readonly range: Range | undefined
}

/** How rows of an answer over days are shown: to programs by their schema, to people as drawn. */
interface RangeView<A> {
  readonly schema: Schema.ConstraintEncoder<unknown>
  readonly none: string
  readonly drawn: (rows: ReadonlyArray<A>, range: Range) => string
}

/** Reads pages until there are enough rows, and keeps of which days they are. */
export const collectRange = Effect.fnUntraced(function* <A, E, R>(
  limit: number,
  read: (page: PageRequest) => Effect.Effect<Page<A> & Range, E, R>
) {
  const ranges: Array<Range> = []
  const collected = yield* collect(limit, (page) =>
    Effect.tap(read(page), (answer) => Effect.sync(() => ranges.push(answer)))
  )
  return { ...collected, range: ranges[0] } satisfies RangeList<A>
})

/** Prints rows as lists are printed, but below the days that they are of. */
export const printRange = <A extends { readonly id: string }>(
  { drawn, none, schema }: RangeView<A>,
  format: Format,
  { isCut, range, rows }: RangeList<A>
) => {
  const isDrawn = format.json !== true && format.quiet !== true && rows.length > 0
  const body =
    isDrawn && range !== undefined
      ? Console.log(`${headline(range)}\n\n${drawn(rows, range)}`)
      : printRows({ schema, none, columns: [] }, format, rows, false, ({ id }) => id)
  return isCut ? Effect.andThen(body, Console.error("There are more: raise --limit to see them.")) : body
}
