import { Schema } from "effect"
import type { ValidationIssue } from "./errors.ts"
import { toJsonPointer } from "./validationIssues.ts"

type Path = ReadonlyArray<PropertyKey>

const isStorableText = (text: string) => text.isWellFormed() && !text.includes("\0")

const issue = "Expected text that is valid Unicode, without the character 0"

/** Returns the path of the first text or name with NUL or a lone surrogate, which PostgreSQL cannot store; `null` without one. */
const findUnstorableText = (value: Schema.Json, path: Path): Path | null => {
  if (typeof value === "string") return isStorableText(value) ? null : path
  if (typeof value !== "object" || value === null) return null
  for (const [name, each] of Object.entries(value)) {
    if (!isStorableText(name)) return path
    const found = findUnstorableText(each, [...path, name])
    if (found !== null) return found
  }
  return null
}

/** Returns the issue of the first text or name that PostgreSQL cannot store; `null` without one. */
export const storableTextIssue = (value: Schema.Json, pointer: string): ValidationIssue | null => {
  const path = findUnstorableText(value, [])
  return path === null ? null : { pointer: pointer + toJsonPointer(path), message: issue }
}

/** Check of texts and of JSON. */
export const isStorable = Schema.makeFilter((value: Schema.Json) => {
  const path = findUnstorableText(value, [])
  return path === null || { path, issue }
})

/** Any JSON that PostgreSQL can store. Requests have no other free JSON. */
export const StorableJson = Schema.Union([Schema.Json]).check(isStorable)

export const StorableJsonObject = Schema.Record(Schema.String, Schema.Json).check(isStorable)
