import type { Schema } from "effect"
import type { FactValue } from "../facts/Facts.ts"

/** Maximum number of names in a path. */
const maxNames = 8

const separator = "."

/** Reads a path in the data of a call, such as `customer.plan`; `null` if it is not a path. */
export const readDataPath = (key: string | undefined): ReadonlyArray<string> | null => {
  const names = (key ?? "").split(separator)
  return names.length <= maxNames && names.every((name) => name !== "") ? names : null
}

const memberOf = (value: Schema.Json | undefined, name: string): Schema.Json | undefined =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (Reflect.get(value, name) as Schema.Json)
    : undefined

const isTextList = (value: ReadonlyArray<unknown>): value is ReadonlyArray<string> =>
  value.every((each) => typeof each === "string")

/** Value of the data at a path, for conditions. Objects and mixed lists have no value. */
export const dataValueAt = (data: Schema.Json, path: ReadonlyArray<string>): FactValue => {
  const found = path.reduce<Schema.Json | undefined>(memberOf, data)
  if (typeof found === "string" || typeof found === "number" || typeof found === "boolean") return found
  return Array.isArray(found) && isTextList(found) ? found : null
}
