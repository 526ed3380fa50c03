import { Schema } from "effect"
import { type FileId, isInvalidRecord, type RecordResult } from "../../platform/files/index.ts"
import { type ColumnTarget, ignoredTarget, type ImportColumn, isExportOnlyColumn } from "./ContactImport.ts"

/** A file that has arrived for an import. */
export interface ContactFile {
  readonly id: FileId
  readonly size: number
}

/** The file is larger than an import may be. */
export class FileTooLarge extends Schema.TaggedError<FileTooLarge>()("FileTooLarge", { max: Schema.Int }) {
  override get message() {
    return `The file is larger than ${this.max} bytes. Divide it into several.`
  }
}

/** The text as a database can keep it: without NUL, and without halves of pairs. */
export const toStorableText = (text: string): string => text.replaceAll("\0", "\u2400").toWellFormed()

/** The names of the cells that rows have, each once and in their order, without those that are known. */
export const findColumns = (
  rows: ReadonlyArray<RecordResult<object>>,
  known: ReadonlyArray<string> = []
): ReadonlyArray<string> => {
  const seen = new Set(known)
  const found: Array<string> = []
  for (const row of rows) {
    for (const name of isInvalidRecord(row) ? [] : Object.keys(row.cells)) {
      const column = toStorableText(name)
      if (seen.has(column)) continue
      seen.add(column)
      found.push(column)
    }
  }
  return found
}

/** The columns of a file, each with what it fills. */
export const toImportColumns = (
  header: ReadonlyArray<string>,
  mapping: ReadonlyArray<ColumnTarget>
): ReadonlyArray<ImportColumn> =>
  header.flatMap((name): ReadonlyArray<ImportColumn> => {
    const fields = mapping.flatMap(({ column, target }) =>
      column === name && target !== ignoredTarget ? [target] : []
    )
    return fields.length === 0 ? [{ name, field: null }] : fields.map((field) => ({ name, field }))
  })

/** The columns that fill nothing, and of which nobody has said that they should not. */
export const findUnknownColumns = (
  header: ReadonlyArray<string>,
  mapping: ReadonlyArray<ColumnTarget>
): ReadonlyArray<string> => {
  const known = new Set(mapping.map(({ column }) => column))
  return header.filter((name) => !known.has(name) && !isExportOnlyColumn(name))
}
