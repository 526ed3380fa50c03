import { Predicate } from "effect"

// What the provider sends grows fields and kinds without notice. One odd field must not lose the message round it,
// so each is read on its own, and what is not as expected is as good as absent.

/** What is at a path, if there is anything. */
export const at = (value: unknown, ...path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>(
    (parent, key) => (Predicate.isObject(parent) && Object.hasOwn(parent, key) ? parent[key] : undefined),
    value
  )

/** The text at a path. */
export const textAt = (value: unknown, ...path: ReadonlyArray<string>): string | null => {
  const found = at(value, ...path)
  return Predicate.isString(found) && found !== "" ? found : null
}

/** The finite number at a path. */
export const numberAt = (value: unknown, ...path: ReadonlyArray<string>): number | null => {
  const found = at(value, ...path)
  return Predicate.isNumber(found) && Number.isFinite(found) ? found : null
}

/** The list at a path; empty if there is none. */
export const listAt = (value: unknown, ...path: ReadonlyArray<string>): ReadonlyArray<unknown> => {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : []
}

/** An id at a path, which the provider writes as a text or as a number. */
export const idAt = (value: unknown, ...path: ReadonlyArray<string>): string | null => {
  const found = at(value, ...path)
  return Number.isSafeInteger(found) ? String(found) : textAt(value, ...path)
}

/** A text as JSON; `undefined` if it is none. */
export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
