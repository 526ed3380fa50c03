import { LocalDate, type Page, type PageRequest } from "@parley/domain/kernel"
import { ChatAccountId } from "@parley/domain/messaging"
import { PeriodName } from "@parley/domain/analytics"
import { Console, Effect, Option, type Schema } from "effect"
import { Flag } from "effect/cli"
import { collect } from "../../console/listing.ts"
import { type Format, printRows } from "../../console/print.ts"
import { typedFlag } from "../../console/typed.ts"

/** Flags of a range of local days. */
export const rangeFlags = {
  period: Flag.Literals("period", PeriodName.literals).pipe(
    Flag.withDescription("Today and the 6 days before (7d, the default), or the 29 days before (30d)"),
    Flag.optional
  ),
  from: typedFlag("from", LocalDate).pipe(
    Flag.withMetavar("day"),
    Flag.withDescription("First day, such as 2026-11-01, in the organization's time zone"),
    Flag.optional
  ),
  to: typedFlag("to", LocalDate).pipe(
    Flag.withMetavar("day"),
    Flag.withDescription("Last day, inclusive"),
    Flag.optional
  )
}

/** Chat account of the counts. */
export const accountFlag = typedFlag("chat-account", ChatAccountId).pipe(
  Flag.withDescription("Only figures of this chat account"),
  Flag.optional
)

interface Said {
  readonly period: Option.Option<PeriodName>
  readonly from: Option.Option<LocalDate>
  readonly to: Option.Option<LocalDate>
}

/** Converts the flags of days to the API contract. */
export const rangeOf = ({ from, period, to }: Said) =>
  Option.isNone(from) && Option.isNone(period) && Option.isNone(to)
    ? ({ period: "7d" } as const)
    : {
        ...(Option.isSome(period) && { period: period.value }),
        ...(Option.isSome(from) && { from: from.value }),
        ...(Option.isSome(to) && { to: to.value })
      }

/** Converts the chat account to the API contract. */
export const accountOf = (account: Option.Option<ChatAccountId>) =>
  Option.isSome(account) ? { chatAccountId: account.value } : {}

/** Formats the days of an answer and their time zone. */
export const headline = ({ from, timezone, to }: Readonly<Record<"from" | "timezone" | "to", string>>) =>
  `${from === to ? from : `${from} to ${to}`}, ${timezone}`

type Range = Parameters<typeof headline>[0]

/** Rows of an answer about days. */
interface RangeList<A> {
  readonly rows: ReadonlyArray<A>
  readonly isCut: boolean
  readonly range: Range | undefined
}

/** View of rows about days: JSON by the schema, or a drawing. */
interface RangeView<A> {
  readonly schema: Schema.ConstraintEncoder<unknown>
  readonly none: string
  readonly drawn: (rows: ReadonlyArray<A>, range: Range) => string
}

/** Reads pages up to the number of rows, and returns the days of the answer. */
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

/** Prints rows like a list, below the days of the answer. */
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
  return isCut ? Effect.andThen(body, Console.error("There are more. Raise --limit to see them.")) : body
}
