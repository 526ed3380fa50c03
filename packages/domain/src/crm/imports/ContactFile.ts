import { Schema } from "effect"
import { formatBytes } from "../../kernel/index.ts"
import { type FileId, isInvalidRecord, type RecordResult } from "../../platform/files/index.ts"
import { type ColumnTarget, ignoredTarget, type ImportColumn, isExportOnlyColumn } from "./ContactImport.ts"

/** Received file of an import. */
export interface ContactFile {
  readonly id: FileId
  readonly size: number
}

/** The file exceeds the maximum size of an import. */
export class FileTooLarge extends Schema.TaggedError<FileTooLarge>()("FileTooLarge", { max: Schema.Int }) {
  override get message() {
    return `The file exceeds ${formatBytes(this.max)}. Split the file.`
  }
}

/** Converts a text for storage: without NUL and without lone surrogates. */
export const toStorableText = (text: string): string => text.replaceAll("\0", "\u2400").toWellFormed()

/** Returns the names of cells in rows, once each and in order, without the known ones. */
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

/** Returns the columns of a file with their targets. */
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

/** Returns columns without a target that the request does not ignore explicitly. */
export const findUnknownColumns = (
  header: ReadonlyArray<string>,
  mapping: ReadonlyArray<ColumnTarget>
): ReadonlyArray<string> => {
  const known = new Set(mapping.map(({ column }) => column))
  return header.filter((name) => !known.has(name) && !isExportOnlyColumn(name))
}
