import { Effect } from "effect"
import { type Fault, ValidationFailed } from "../../kernel/index.ts"

/** How many headers a subscription may have besides. */
const mostHeaders = 10

/** What the request says itself, what says how long it is, and what is between two machines only. */
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

const reservedBeginnings = ["content-", "webhook-", "parley-", "proxy-"] as const

const isReserved = (name: string) =>
  reserved.has(name) || reservedBeginnings.some((beginning) => name.startsWith(beginning))

/** JSON pointers write two characters in another way. */
const step = (name: string) => name.replaceAll("~", "~0").replaceAll("/", "~1")

/** What is wrong with the names of headers that are to be sent besides. */
export const faultsOfHeaders = (names: ReadonlyArray<string>): ReadonlyArray<Fault> => {
  const seen = new Set<string>()
  const faults: Array<Fault> = []
  if (names.length > mostHeaders)
    faults.push({ pointer: "/headers", message: `Expected at most ${mostHeaders} headers` })
  for (const written of names) {
    const name = written.toLowerCase()
    const pointer = `/headers/${step(written)}`
    if (isReserved(name)) faults.push({ pointer, message: "This header cannot be chosen" })
    if (seen.has(name)) faults.push({ pointer, message: "Expected each header once" })
    seen.add(name)
  }
  return faults
}

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
