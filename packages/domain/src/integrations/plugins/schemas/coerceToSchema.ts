import type { Schema } from "effect"
import { faultsOfValue } from "./faultsOfValue.ts"
import type { PluginSchema } from "./PluginSchema.ts"

/** A number in program notation. Excludes leading zeros, which phone numbers and codes use. */
const numeric = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/u

const numberIn = (text: string): ReadonlyArray<number> => {
  const number = numeric.test(text) ? Number(text) : Number.NaN
  const isExact = Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number))
  return isExact ? [number] : []
}

const booleans: Readonly<Record<string, boolean>> = { true: true, false: false }

const booleanIn = (text: string): ReadonlyArray<boolean> => {
  const found = Object.hasOwn(booleans, text) ? booleans[text] : undefined
  return found === undefined ? [] : [found]
}

/** Forms of a value, in order of preference. `text` is the text of a money object. */
const formsOf = (value: Schema.Json, text: string | null): ReadonlyArray<Schema.Json> => {
  if (typeof value === "string") return [value, ...numberIn(value.trim()), ...booleanIn(value.trim())]
  if (typeof value === "number" || typeof value === "boolean") return [value, String(value)]
  return text === null ? [value] : [value, text]
}

/** Coerces a value to a schema; returns it unchanged when no form fits. */
export const coerceToSchema = (schema: PluginSchema, value: Schema.Json, text: string | null = null): Schema.Json =>
  formsOf(value, text).find((form) => faultsOfValue(schema, form, "").length === 0) ?? value
