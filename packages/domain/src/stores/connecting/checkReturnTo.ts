import { Effect, Redacted } from "effect"
import { invalid } from "../../kernel/index.ts"
import { StoreSettings } from "../StoreSettings.ts"

/** Browsers drop control characters and read a backslash as a slash. Both let two readers see two origins, so both are refused. */
const address = /^(https?:\/\/(?:[a-z0-9.-]+|\[::1\])(?::\d{1,5})?)(?:[/?][^#\s\p{Cc}\\]*)?$/iu

/** A program on the machine of the user listens there (RFC 8252, 7.3). Any port is allowed: the program takes a free one. */
const loopback = /^http:\/\/(?:127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/u

const originOf = (text: string): string | null => address.exec(text)?.[1]?.toLowerCase() ?? null

/** Allows addresses of this service, of the origins that the operator names, and of the loopback interface. */
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

/** The address with the one-time code. A fragment reaches neither logs nor the `Referer` of other requests. */
export const returnWithCode = (returnTo: string, code: Redacted.Redacted): string =>
  `${returnTo}#code=${Redacted.value(code)}`

/** The address with the code of a problem. */
export const returnWithResult = (returnTo: string, result: string, storeConnectionId: string): string => {
  const joint = returnTo.includes("?") ? "&" : "?"
  return `${returnTo}${joint}storeConnectionId=${storeConnectionId}&result=${result}`
}
