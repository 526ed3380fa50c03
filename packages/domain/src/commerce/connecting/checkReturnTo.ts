import { Effect, Redacted } from "effect"
import { invalid } from "../../kernel/index.ts"
import { StoreSettings } from "../StoreSettings.ts"

/** Browsers drop control characters and read a backslash as a slash. Two parsers can then see different origins, so both characters are rejected. */
const address = /^(https?:\/\/(?:[a-z0-9.-]+|\[::1\])(?::\d{1,5})?)(?:[/?][^#\s\p{Cc}\\]*)?$/iu

/** A program on the user's machine listens on this host (RFC 8252, 7.3). Any port is allowed, because the program picks a free one. */
const loopback = /^http:\/\/(?:127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/u

const maxPort = 65_535

/** The origin of a URL in lower case; `null` for an invalid URL. */
const originOf = (text: string): string | null => {
  const origin = address.exec(text)?.[1]?.toLowerCase()
  const port = Number(/:(\d+)$/u.exec(origin ?? "")?.[1] ?? 0)
  return origin === undefined || port > maxPort ? null : origin
}

/** Allows URLs of this service, of the configured origins and of the loopback interface. */
export const checkReturnTo = Effect.fnUntraced(function* (returnTo: string | undefined) {
  if (returnTo === undefined) return null
  const { publicUrl, returnOrigins } = yield* StoreSettings
  const origin = originOf(returnTo)
  const isAllowed =
    origin !== null && (loopback.test(origin) || [originOf(publicUrl), ...returnOrigins].includes(origin))
  return isAllowed
    ? returnTo
    : yield* invalid("/returnTo", "Expected an address without a fragment, of an origin that this service allows")
})

/** Adds the one-time code as a fragment, which reaches neither logs nor the `Referer` header. */
export const returnWithCode = (returnTo: string, code: Redacted.Redacted): string =>
  `${returnTo}#code=${Redacted.value(code)}`

export const returnWithResult = (returnTo: string, result: string, storeConnectionId: string): string => {
  const joint = returnTo.includes("?") ? "&" : "?"
  return `${returnTo}${joint}storeConnectionId=${storeConnectionId}&result=${result}`
}
