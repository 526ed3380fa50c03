import { Effect } from "effect"
import { type ValidationIssue, ValidationFailed } from "../../kernel/index.ts"

/** Maximum number of additional headers of a subscription. */
const maxHeaders = 10

/** Headers that the request sets itself, length headers, and hop-by-hop headers. */
const reserved: ReadonlySet<string> = new Set([
  "connection",
  "expect",
  "host",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade"
])

const reservedPrefixes = ["content-", "webhook-", "parley-", "proxy-"] as const

const isReserved = (name: string) =>
  reserved.has(name) || reservedPrefixes.some((beginning) => name.startsWith(beginning))

/** Escapes two characters for a JSON pointer. */
const escapePointerSegment = (name: string) => name.replaceAll("~", "~0").replaceAll("/", "~1")

/** Returns the errors of additional header names. */
export const validateHeaderNames = (names: ReadonlyArray<string>): ReadonlyArray<ValidationIssue> => {
  const seen = new Set<string>()
  const faults: Array<ValidationIssue> = []
  if (names.length > maxHeaders) faults.push({ pointer: "/headers", message: `Expected at most ${maxHeaders} headers` })
  for (const written of names) {
    const name = written.toLowerCase()
    const pointer = `/headers/${escapePointerSegment(written)}`
    if (isReserved(name)) faults.push({ pointer, message: "This header cannot be chosen" })
    if (seen.has(name)) faults.push({ pointer, message: "Expected each header once" })
    seen.add(name)
  }
  return faults
}

const pointerTo = (name: string) => `/headers/${name.replaceAll("~", "~0")}`

const missingValueMessage = "This header has no value yet"

const otherOriginMessage =
  "The value is encrypted for another scheme, host or port. Specify it again with the new URL, or leave the header out of headers"

/**
 * Headers after a change, each with the requested or the stored value; null if the request does not change them. `stored` is null when the
 * subscription moves to another origin, because stored values stay bound to the former one.
 */
export const mergeHeaders = Effect.fnUntraced(function* (
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
  const message = stored === null ? otherOriginMessage : missingValueMessage
  const errors = after.flatMap(([name, value]) => (value === null ? [{ pointer: pointerTo(name), message }] : []))
  if (errors.length > 0) return yield* new ValidationFailed({ errors })
  return Object.fromEntries(after.map(([name, value]) => [name, value ?? ""]))
})
