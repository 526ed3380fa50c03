import { Predicate } from "effect"

// What the provider sends grows fields and kinds without notice. One odd field must not lose the message round it,
// so each is read separately, and an unexpected value counts as absent.

/** Returns the value at a path, if any. */
export const at = (value: unknown, ...path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>(
    (parent, key) => (Predicate.isObject(parent) && Object.hasOwn(parent, key) ? parent[key] : undefined),
    value
  )

export const textAt = (value: unknown, ...path: ReadonlyArray<string>): string | null => {
  const found = at(value, ...path)
  return Predicate.isString(found) && found !== "" ? found : null
}

/** Returns the finite number at a path. */
export const numberAt = (value: unknown, ...path: ReadonlyArray<string>): number | null => {
  const found = at(value, ...path)
  return Predicate.isNumber(found) && Number.isFinite(found) ? found : null
}

/** Returns the list at a path; empty if missing. */
export const listAt = (value: unknown, ...path: ReadonlyArray<string>): ReadonlyArray<unknown> => {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : []
}

/** Returns the id at a path, which the provider writes as a text or a number. */
export const idAt = (value: unknown, ...path: ReadonlyArray<string>): string | null => {
  const found = at(value, ...path)
  return Number.isSafeInteger(found) ? String(found) : textAt(value, ...path)
}

const longInteger = /\d{16}/u

/** Parses JSON, and keeps the integers that a number cannot hold as texts; `undefined` if invalid. */
export const parsedExactly = (text: string): unknown => {
  if (!longInteger.test(text)) return parsed(text)
  try {
    return JSON.parse(text, (_name, value: unknown, context?: { readonly source?: string }) =>
      Number.isInteger(value) && !Number.isSafeInteger(value) ? (context?.source ?? value) : value
    )
  } catch {
    return undefined
  }
}

/** Parses JSON; `undefined` if invalid. */
export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
