import { type ColumnTarget, ignored, type ImportColumn, isExportOnly } from "./ContactImport.ts"

/** The columns of a file, each with what it fills. */
export const columnsOf = (
  header: ReadonlyArray<string>,
  mapping: ReadonlyArray<ColumnTarget>
): ReadonlyArray<ImportColumn> =>
  header.flatMap((name): ReadonlyArray<ImportColumn> => {
    const fields = mapping.flatMap(({ column, target }) => (column === name && target !== ignored ? [target] : []))
    return fields.length === 0 ? [{ name, field: null }] : fields.map((field) => ({ name, field }))
  })

/** The columns that fill nothing, and of which nobody has said that they should not. */
export const unknownColumns = (
  header: ReadonlyArray<string>,
  mapping: ReadonlyArray<ColumnTarget>
): ReadonlyArray<string> => {
  const known = new Set(mapping.map(({ column }) => column))
  return header.filter((name) => !known.has(name) && !isExportOnly(name))
}
