import type { ValidationIssue } from "../../kernel/index.ts"
import type { ContactField } from "../ContactFields.ts"
import {
  attributePrefix,
  type ColumnTarget,
  ignoredTarget,
  type ImportTarget,
  contactTargets
} from "./ContactImport.ts"
import { type ColumnMatch, matchColumns } from "./columnMatching.ts"

/** Returns the key of the custom field that a column fills; `null` for other targets. */
export const attributeKeyOf = (target: ImportTarget): string | null =>
  target.startsWith(attributePrefix) ? target.slice(attributePrefix.length) : null

/** Columns of a file: all columns, or the columns of its first rows if each row names its own cells. */
export interface FileColumns {
  readonly names: ReadonlyArray<string>
  readonly areAll: boolean
}

/** Targets of the columns, or the errors of the mapping. */
export type ColumnMapping =
  | { readonly mapping: ReadonlyArray<ColumnTarget> }
  | { readonly faults: ReadonlyArray<ValidationIssue> }

const noFieldMessage = (key: string) => `There is no contact field with the key ${key}`

const isNamePart = (target: ImportTarget) => target === "firstName" || target === "lastName"

/** Returns whether two columns cannot fill both targets. The parts of a name conflict with the name. */
const isConflicting = (one: ImportTarget, other: ImportTarget): boolean =>
  one === other ? one !== ignoredTarget : (one === "name" && isNamePart(other)) || (isNamePart(one) && other === "name")

const quoteColumns = (columns: ReadonlyArray<ColumnTarget>) => columns.map(({ column }) => `"${column}"`).join(" and ")

const findConflicts = (mapping: ReadonlyArray<ColumnTarget>): ReadonlyArray<string> => {
  const isNameFilled = mapping.some(({ target }) => target === "name")
  const groups = Map.groupBy(mapping, ({ target }) => (isNameFilled && isNamePart(target) ? "name" : target))
  return Array.from(groups).flatMap(([target, columns]) =>
    columns.length === 1
      ? []
      : [
          `The columns ${quoteColumns(columns)} all match ${target}. Map the columns, or map one of them to ${ignoredTarget}`
        ]
  )
}

const findAmbiguities = (matches: ReadonlyArray<ColumnMatch>): ReadonlyArray<string> =>
  matches.flatMap(({ column, targets }) =>
    targets.length < 2 ? [] : [`The column "${column}" matches ${targets.join(" and ")}. Map the columns`]
  )

/** Maps columns to targets by name. */
const mapByName = ({ areAll, names }: FileColumns, fields: ReadonlyArray<ContactField>): ColumnMapping => {
  const matches = matchColumns(names, fields)
  const mapping = matches.flatMap(({ column, targets: [target] }) => (target === undefined ? [] : [{ column, target }]))
  const missing = matches.flatMap(({ column, targets }) => {
    const key = attributeKeyOf(column.trim())
    return !areAll || key === null || targets.length > 0
      ? []
      : [`${noFieldMessage(key)}. Add it, or map the column to ${ignoredTarget}`]
  })
  const targets = [...contactTargets, ...fields.map(({ key }) => `${attributePrefix}${key}`)]
  const faults = [
    ...missing,
    ...findConflicts(mapping),
    ...findAmbiguities(matches),
    ...(areAll && mapping.length === 0
      ? [`No column name matches a target: ${targets.join(", ")}. Map the columns`]
      : [])
  ]
  return faults.length === 0 ? { mapping } : { faults: faults.map((message) => ({ pointer: "/map", message })) }
}

/** Returns targets by exact name for columns of later rows, if each row names its own cells. */
const mapLaterColumns = (
  mapping: ReadonlyArray<ColumnTarget>,
  fields: ReadonlyArray<ContactField>
): ReadonlyArray<ColumnTarget> =>
  [...contactTargets.filter((target) => !isNamePart(target)), ...fields.map(({ key }) => `${attributePrefix}${key}`)]
    .filter((each) => !mapping.some(({ column, target }) => column === each || isConflicting(target, each)))
    .map((target) => ({ column: target, target }))

const validateMapping = (
  values: ReadonlyArray<ColumnTarget>,
  { areAll, names }: FileColumns,
  fields: ReadonlyArray<ContactField>
): ReadonlyArray<ValidationIssue> =>
  values.flatMap(({ column, target }, at): ReadonlyArray<ValidationIssue> => {
    const pointer = `/map/${at}`
    const key = attributeKeyOf(target)
    return [
      ...(areAll && !names.includes(column)
        ? [{ pointer, message: `The file has no column "${column}". It has: ${names.join(", ")}` }]
        : []),
      ...(key !== null && !fields.some((field) => field.key === key)
        ? [{ pointer, message: noFieldMessage(key) }]
        : []),
      ...values
        .slice(0, at)
        .filter((before) => isConflicting(before.target, target))
        .slice(0, 1)
        .map((before) => ({ pointer, message: `Another column already maps to ${before.target}` }))
    ]
  })

/** Maps the columns of a file to targets, as requested or by name. If the request only ignores columns, the others are mapped by name. */
export const mapColumns = (
  values: ReadonlyArray<ColumnTarget>,
  columns: FileColumns,
  all: ReadonlyArray<ContactField>
): ColumnMapping => {
  const fields = all.filter(({ status }) => status === "active")
  const faults = validateMapping(values, columns, fields)
  if (faults.length > 0) return { faults }
  if (values.some(({ target }) => target !== ignoredTarget)) return { mapping: values }
  const names = columns.names.filter((name) => !values.some(({ column }) => column === name))
  const named = mapByName({ ...columns, names }, fields)
  if ("faults" in named) return named
  const mapping = [...values, ...named.mapping]
  return { mapping: columns.areAll ? mapping : [...mapping, ...mapLaterColumns(mapping, fields)] }
}
