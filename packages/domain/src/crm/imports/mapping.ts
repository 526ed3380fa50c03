import type { Fault } from "../../kernel/index.ts"
import type { ContactField } from "../ContactField.ts"
import { type ColumnTarget, type ImportTarget, plainTargets } from "./ContactImport.ts"

const attribute = "attribute."

/** The key of the custom field that a column fills; `null` if it fills another part. */
export const attributeKeyOf = (target: ImportTarget): string | null =>
  target.startsWith(attribute) ? target.slice(attribute.length) : null

const targetsOf = (fields: ReadonlyArray<ContactField>): ReadonlyArray<ImportTarget> => [
  ...plainTargets,
  ...fields.filter(({ status }) => status === "active").map(({ key }) => `${attribute}${key}`)
]

/** What the columns fill, or why that cannot be. */
export type Mapped = { readonly mapping: ReadonlyArray<ColumnTarget> } | { readonly faults: ReadonlyArray<Fault> }

const noField = (key: string) => `There is no contact field with the key ${key}`

const named = (column: string, targets: ReadonlyArray<ImportTarget>): ReadonlyArray<ColumnTarget> => {
  const folded = column.trim().toLowerCase()
  const target = targets.find((each) => each.toLowerCase() === folded)
  return target === undefined ? [] : [{ column, target }]
}

/** The columns that are named like what they fill. */
const byName = (header: ReadonlyArray<string>, fields: ReadonlyArray<ContactField>): Mapped => {
  const targets = targetsOf(fields)
  const mapping = header.flatMap((column) => named(column, targets))
  const unknown = header.flatMap((column) => {
    const key = attributeKeyOf(column.trim())
    const isKnown = mapping.some((each) => each.column === column)
    return key === null || isKnown
      ? []
      : [{ pointer: "/map", message: `${noField(key)}. Map the other columns to leave it out` }]
  })
  const twice = mapping.find(({ target }, at) => mapping.findIndex((each) => each.target === target) < at)
  const faults: ReadonlyArray<Fault> = [
    ...unknown,
    ...(twice === undefined
      ? []
      : [{ pointer: "/map", message: `Several columns are named ${twice.target}. Say which one counts` }]),
    ...(mapping.length === 0
      ? [
          {
            pointer: "/map",
            message: `No column is named like what it could fill: ${targets.join(", ")}. Say what the columns fill`
          }
        ]
      : [])
  ]
  return faults.length === 0 ? { mapping } : { faults }
}

/** The columns that somebody said. `header` is `null` where each row names its own cells. */
const asSaid = (
  said: ReadonlyArray<ColumnTarget>,
  header: ReadonlyArray<string> | null,
  fields: ReadonlyArray<ContactField>
): Mapped => {
  const targets = targetsOf(fields)
  const faults = said.flatMap(({ column, target }, at): ReadonlyArray<Fault> => {
    const pointer = `/map/${at}`
    const key = attributeKeyOf(target)
    return [
      ...(header !== null && !header.includes(column)
        ? [{ pointer, message: `The file has no column "${column}". It has: ${header.join(", ")}` }]
        : []),
      ...(key !== null && !targets.includes(target) ? [{ pointer, message: noField(key) }] : []),
      ...(said.findIndex((each) => each.target === target) < at
        ? [{ pointer, message: `Another column fills ${target} already` }]
        : [])
    ]
  })
  return faults.length === 0 ? { mapping: said } : { faults }
}

/** What the columns of a file fill: as it is said, or else by their names. */
export const mapColumns = (
  said: ReadonlyArray<ColumnTarget>,
  header: ReadonlyArray<string> | null,
  fields: ReadonlyArray<ContactField>
): Mapped => {
  if (said.length > 0) return asSaid(said, header, fields)
  return header === null
    ? { mapping: targetsOf(fields).map((target) => ({ column: target, target })) }
    : byName(header, fields)
}
