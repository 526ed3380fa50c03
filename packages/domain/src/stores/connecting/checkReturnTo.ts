import { Effect } from "effect"
import { invalid } from "../../kernel/index.ts"
import { StoreSettings } from "../StoreSettings.ts"

/** What browsers leave out of addresses, or read as a slash, is refused: it makes two readers see two origins. */
const address = /^(https?:\/\/[a-z0-9.-]+(?::\d{1,5})?)(?:[/?#][^\s\p{Cc}\\]*)?$/iu

const originOf = (text: string): string | null => address.exec(text)?.[1]?.toLowerCase() ?? null

/** Refuses to send people back to where the operator does not allow it. */
export const checkReturnTo = Effect.fnUntraced(function* (returnTo: string | undefined) {
  if (returnTo === undefined) return null
  const { publicUrl, returnOrigins } = yield* StoreSettings
  const origin = originOf(returnTo)
  const isAllowed = origin !== null && [originOf(publicUrl), ...returnOrigins].includes(origin)
  return isAllowed ? returnTo : yield* invalid("/returnTo", "Expected an address of an origin that this service allows")
})

/** The address with what came of it. */
export const returnWith = (returnTo: string, result: string, storeConnectionId: string): string => {
  const [, rest = returnTo, fragment = ""] = /^([^#]*)(#.*)?$/su.exec(returnTo) ?? []
  const joint = rest.includes("?") ? "&" : "?"
  return `${rest}${joint}storeConnectionId=${storeConnectionId}&result=${result}${fragment}`
}
