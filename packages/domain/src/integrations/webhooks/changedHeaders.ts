import { Effect } from "effect"
import { ValidationFailed } from "../../kernel/index.ts"

const pointerTo = (name: string) => `/headers/${name.replaceAll("~", "~0")}`

const noValue = "There is no value for this header yet"

const sealedElsewhere =
  "The value is sealed for another scheme, host or port. Specify it again with the new URL, or leave the header out of headers"

/**
 * Headers after a change, each with the requested or the stored value; null if the request does not change them. `stored` is null when the
 * subscription moves to another origin, because stored values stay bound to the former one.
 */
export const changedHeaders = Effect.fnUntraced(function* (
  stored: Readonly<Record<string, string>> | null,
  names: ReadonlyArray<string>,
  requested: Readonly<Record<string, string | null>> | undefined
) {
  if (requested === undefined && (stored !== null || names.length === 0)) return null
  const values = requested ?? Object.fromEntries(names.map((name) => [name, null]))
  const after = Object.entries(values).map(([written, value]): readonly [string, string | null] => {
    const name = written.toLowerCase()
    return [name, value ?? (stored !== null && Object.hasOwn(stored, name) ? (stored[name] ?? null) : null)]
  })
  const message = stored === null ? sealedElsewhere : noValue
  const errors = after.flatMap(([name, value]) => (value === null ? [{ pointer: pointerTo(name), message }] : []))
  if (errors.length > 0) return yield* new ValidationFailed({ errors })
  return Object.fromEntries(after.map(([name, value]) => [name, value ?? ""]))
})
