import { Console, Effect, Schema } from "effect"
import { card, type Column, table } from "./Table.ts"

/** How one kind of thing is shown: to programs by its schema, to people by these columns. */
export interface View<A> {
  readonly schema: Schema.ConstraintEncoder<unknown>
  readonly columns: ReadonlyArray<Column<A>>
  readonly none: string
}

/** What it was asked for as. */
export interface Format {
  readonly json?: boolean
  readonly quiet?: boolean
}

/** Prints JSON, for programs. */
export const printJson = (value: unknown) => Console.log(JSON.stringify(value, null, 2))

/** Prints a list: the rows as a table, as a JSON array, or as ids alone. */
export const printRows = <A>(
  view: View<A>,
  format: Format,
  rows: ReadonlyArray<A>,
  isCut: boolean,
  idOf: (row: A) => string
) => {
  const body =
    format.json === true
      ? printJson(rows.map((row) => Schema.encodeUnknownSync(view.schema)(row)))
      : format.quiet === true
        ? Effect.forEach(rows, (row) => Console.log(idOf(row)), { discard: true })
        : rows.length === 0
          ? Console.error(view.none)
          : Console.log(table(rows, view.columns))
  return isCut ? Effect.andThen(body, Console.error("There are more: raise --limit to see them.")) : body
}

/** The same of rows that have ids of their own. */
export const printList = <A extends { readonly id: string }>(
  view: View<A>,
  format: Format,
  rows: ReadonlyArray<A>,
  isCut: boolean
) => printRows(view, format, rows, isCut, ({ id }) => id)

/** Prints what has no id of its own: its fields a line each, or as a JSON object. */
export const printCard = <A>(view: Pick<View<A>, "columns" | "schema">, isJson: boolean, row: A) =>
  isJson
    ? printJson(Schema.encodeUnknownSync(view.schema)(row))
    : Console.log(card(view.columns.map((column) => [column.heading, column.of(row)])))

/** Prints one thing: its fields a line each, as a JSON object, or as its id alone. */
export const printOne = <A extends { readonly id: string }>(view: View<A>, format: Format, row: A) =>
  format.json !== true && format.quiet === true ? Console.log(row.id) : printCard(view, format.json === true, row)
