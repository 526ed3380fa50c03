import { Console, Effect, FileSystem, Option, PlatformError, Schema, Stdio, Stream } from "effect"
import { CliOutput, Flag } from "effect/cli"
import { type Failure, Refused } from "./Failure.ts"

/** A column: its heading, its value of a row, and its alignment. */
export interface Column<Row> {
  readonly heading: string
  readonly of: (row: Row) => string
  readonly align?: "left" | "right"
}

const gap = "  "

const pad = (text: string, width: number, align: "left" | "right") => {
  const space = " ".repeat(Math.max(0, width - CliOutput.displayWidth(text)))
  return align === "left" ? text + space : space + text
}

/** Lays out rows under headings. A column is as wide as its widest cell on the screen. */
export const table = <Row>(rows: ReadonlyArray<Row>, columns: ReadonlyArray<Column<Row>>): string => {
  const cells = [columns.map((column) => column.heading), ...rows.map((row) => columns.map((column) => column.of(row)))]
  const widths = columns.map((_, at) => Math.max(...cells.map((line) => CliOutput.displayWidth(line[at] ?? ""))))
  return cells
    .map((line) =>
      columns
        .map((column, at) => pad(line[at] ?? "", widths[at] ?? 0, column.align ?? "left"))
        .join(gap)
        .trimEnd()
    )
    .join("\n")
}

/** Lays out the fields of one record, one per line. */
export const card = (fields: ReadonlyArray<readonly [name: string, value: string]>): string => {
  const width = Math.max(...fields.map(([name]) => CliOutput.displayWidth(name)))
  return fields.map(([name, value]) => `${pad(name, width, "left")}${gap}${value}`.trimEnd()).join("\n")
}

/** Output of one kind of record: JSON by its schema, or text in these columns. */
export interface View<A> {
  readonly schema: Schema.ConstraintEncoder<unknown>
  readonly columns: ReadonlyArray<Column<A>>
  readonly none: string
  /** Text instead of `none` if a filter excludes all rows. */
  readonly noMatch?: string
}

/** Requested output format. */
export interface Format {
  readonly json?: boolean
  readonly quiet?: boolean
}

/** Prints JSON for programs. */
export const printJson = (value: unknown) => Console.log(JSON.stringify(value, null, 2))

/** Prints a list as a table, a JSON array, or ids only. */
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
  return isCut ? Effect.andThen(body, Console.error("There are more. Raise --limit to see them.")) : body
}

/** Prints a list of rows with ids. */
export const printList = <A extends { readonly id: string }>(
  view: View<A>,
  format: Format,
  rows: ReadonlyArray<A>,
  isCut: boolean
) => printRows(view, format, rows, isCut, ({ id }) => id)

/** Prints a record without an id: one line per field, or a JSON object. */
export const printCard = <A>(view: Pick<View<A>, "columns" | "schema">, isJson: boolean, row: A) =>
  isJson
    ? printJson(Schema.encodeUnknownSync(view.schema)(row))
    : Console.log(card(view.columns.map((column) => [column.heading, column.of(row)])))

/** Prints a record: one line per field, a JSON object, or its id only. */
export const printOne = <A extends { readonly id: string }>(view: View<A>, format: Format, row: A) =>
  format.json !== true && format.quiet === true ? Console.log(row.id) : printCard(view, format.json === true, row)

/** Target of an export. */
export const output = Flag.String("output").pipe(
  Flag.withAlias("o"),
  Flag.withMetavar("file"),
  Flag.withDescription("File to write. Default: the standard output"),
  Flag.optional
)

type Bytes = Stream.Stream<Uint8Array, Failure>

const toFile = Effect.fnUntraced(function* <R>(path: string, read: Effect.Effect<Bytes, Failure, R>) {
  const fs = yield* FileSystem.FileSystem
  // A partial export must not look complete.
  const unfinished = `${path}.part`
  // Reading records an export in the audit trail, so the file is created first.
  yield* fs.writeFile(unfinished, new Uint8Array()).pipe(
    Effect.andThen(read),
    Effect.flatMap((bytes) => Stream.run(bytes, fs.sink(unfinished))),
    Effect.andThen(fs.rename(unfinished, path)),
    Effect.onError(() => Effect.ignore(fs.remove(unfinished))),
    Effect.mapError((failure) =>
      PlatformError.isPlatformError(failure)
        ? new Refused({ message: `The file ${path} cannot be written: ${failure.reason._tag}.` })
        : failure
    )
  )
  yield* Console.error(`Exported to ${path}.`)
})

const toOutput = Effect.fnUntraced(function* (bytes: Bytes) {
  const stdio = yield* Stdio.Stdio
  yield* Stream.run(bytes, stdio.stdout({ endOnDone: false })).pipe(
    Effect.mapError((failure) =>
      PlatformError.isPlatformError(failure)
        ? new Refused({ message: "The output was closed before the export was complete." })
        : failure
    )
  )
})

/** Writes an export to a file, atomically, or to the standard output. Reads it only if the file can be written. */
export const writeBytes = <R>(
  read: Effect.Effect<Bytes, Failure, R>,
  output: Option.Option<string>
): Effect.Effect<void, Failure, R | FileSystem.FileSystem | Stdio.Stdio> =>
  Option.isNone(output) ? Effect.flatMap(read, toOutput) : toFile(output.value, read)
