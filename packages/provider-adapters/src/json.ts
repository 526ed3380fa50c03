import { Predicate } from "effect"

// What the provider sends grows fields and kinds without notice. One odd field must not lose the message round it,
// so each is read separately, and an unexpected value counts as absent.

/** Returns the value at a path, if any. */
export const at = (value: unknown, ...path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>(
    (parent, key) => (Predicate.isObject(parent) && Object.hasOwn(parent, key) ? parent[key] : undefined),
    value
  )

/** Returns a text in a form that can be stored: without NUL, without halves of surrogate pairs, and cut to a length. */
export const storableText = (text: string, maxLength = Number.POSITIVE_INFINITY): string => {
  const whole = text.replaceAll("\0", "").toWellFormed()
  if (whole.length <= maxLength) return whole
  const cut = whole.slice(0, maxLength)
  return cut.isWellFormed() ? cut : cut.slice(0, -1)
}

/** Returns the text at a path in a form that can be stored; `null` if it is missing or empty. */
export const textAt = (value: unknown, ...path: ReadonlyArray<string>): string | null => {
  const found = at(value, ...path)
  return Predicate.isString(found) ? storableText(found) || null : null
}

/** Returns the texts of a list in a form that can be stored. */
export const textsIn = (values: ReadonlyArray<unknown>): ReadonlyArray<string> =>
  values.filter((value) => Predicate.isString(value)).map((value) => storableText(value))

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
