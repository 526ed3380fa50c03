import type { Fault } from "../../kernel/index.ts"
import type { ContactField } from "../ContactFields.ts"
import { attribute, type ColumnTarget, ignored, type ImportTarget, plainTargets } from "./ContactImport.ts"
import { type ColumnMatch, matchColumns } from "./columnMatching.ts"

/** The key of the custom field that a column fills; `null` if it fills another part. */
export const attributeKeyOf = (target: ImportTarget): string | null =>
  target.startsWith(attribute) ? target.slice(attribute.length) : null

/** The columns of a file: all of them, or those of its first rows where each row names its own cells. */
export interface FileColumns {
  readonly names: ReadonlyArray<string>
  readonly areAll: boolean
}

/** What the columns fill, or why that cannot be. */
export type Mapped = { readonly mapping: ReadonlyArray<ColumnTarget> } | { readonly faults: ReadonlyArray<Fault> }

const noField = (key: string) => `There is no contact field with the key ${key}`

const isHalf = (target: ImportTarget) => target === "firstName" || target === "lastName"

/** What two columns cannot both fill. The halves of a name are the name, too. */
const excludes = (one: ImportTarget, other: ImportTarget): boolean =>
  one === other ? one !== ignored : (one === "name" && isHalf(other)) || (isHalf(one) && other === "name")

const listed = (columns: ReadonlyArray<ColumnTarget>) => columns.map(({ column }) => `"${column}"`).join(" and ")

const clashesOf = (mapping: ReadonlyArray<ColumnTarget>): ReadonlyArray<string> => {
  const isNameFilled = mapping.some(({ target }) => target === "name")
  const groups = Map.groupBy(mapping, ({ target }) => (isNameFilled && isHalf(target) ? "name" : target))
  return Array.from(groups).flatMap(([target, columns]) =>
    columns.length === 1
      ? []
      : [
          `By their names, the columns ${listed(columns)} fill ${target}. Say what the columns fill, or map one of them to ${ignored}`
        ]
  )
}

const doubtsOf = (matches: ReadonlyArray<ColumnMatch>): ReadonlyArray<string> =>
  matches.flatMap(({ column, targets }) =>
    targets.length < 2
      ? []
      : [`By its name, the column "${column}" could fill ${targets.join(" or ")}. Say what the columns fill`]
  )

/** The columns that are named like what they fill. */
const byName = ({ areAll, names }: FileColumns, fields: ReadonlyArray<ContactField>): Mapped => {
  const matches = matchColumns(names, fields)
  const mapping = matches.flatMap(({ column, targets: [target] }) => (target === undefined ? [] : [{ column, target }]))
  const missing = matches.flatMap(({ column, targets }) => {
    const key = attributeKeyOf(column.trim())
    return !areAll || key === null || targets.length > 0
      ? []
      : [`${noField(key)}. Add it, or map the column to ${ignored}`]
  })
  const targets = [...plainTargets, ...fields.map(({ key }) => `${attribute}${key}`)]
  const faults = [
    ...missing,
    ...clashesOf(mapping),
    ...doubtsOf(matches),
    ...(areAll && mapping.length === 0
      ? [`No column is named like what it could fill: ${targets.join(", ")}. Say what the columns fill`]
      : [])
  ]
  return faults.length === 0 ? { mapping } : { faults: faults.map((message) => ({ pointer: "/map", message })) }
}

/** What rows further on may fill by the exact names, where each row names its own cells. */
const furtherOn = (
  mapping: ReadonlyArray<ColumnTarget>,
  fields: ReadonlyArray<ContactField>
): ReadonlyArray<ColumnTarget> =>
  [...plainTargets.filter((target) => !isHalf(target)), ...fields.map(({ key }) => `${attribute}${key}`)]
    .filter((each) => !mapping.some(({ column, target }) => column === each || excludes(target, each)))
    .map((target) => ({ column: target, target }))

const faultsOfSaid = (
  said: ReadonlyArray<ColumnTarget>,
  { areAll, names }: FileColumns,
  fields: ReadonlyArray<ContactField>
): ReadonlyArray<Fault> =>
  said.flatMap(({ column, target }, at): ReadonlyArray<Fault> => {
    const pointer = `/map/${at}`
    const key = attributeKeyOf(target)
    return [
      ...(areAll && !names.includes(column)
        ? [{ pointer, message: `The file has no column "${column}". It has: ${names.join(", ")}` }]
        : []),
      ...(key !== null && !fields.some((field) => field.key === key) ? [{ pointer, message: noField(key) }] : []),
      ...said
        .slice(0, at)
        .filter((before) => excludes(before.target, target))
        .slice(0, 1)
        .map((before) => ({ pointer, message: `Another column fills ${before.target} already` }))
    ]
  })

/**
 * What the columns of a file fill: as it is said, or else by their names. Where nothing is said but which columns to
 * ignore, the others go by their names.
 */
export const mapColumns = (
  said: ReadonlyArray<ColumnTarget>,
  columns: FileColumns,
  all: ReadonlyArray<ContactField>
): Mapped => {
  const fields = all.filter(({ status }) => status === "active")
  const faults = faultsOfSaid(said, columns, fields)
  if (faults.length > 0) return { faults }
  if (said.some(({ target }) => target !== ignored)) return { mapping: said }
  const names = columns.names.filter((name) => !said.some(({ column }) => column === name))
  const named = byName({ ...columns, names }, fields)
  if ("faults" in named) return named
  const mapping = [...said, ...named.mapping]
  return { mapping: columns.areAll ? mapping : [...mapping, ...furtherOn(mapping, fields)] }
}
