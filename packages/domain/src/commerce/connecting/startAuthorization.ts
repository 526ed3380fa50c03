import { DateTime, Effect, Redacted } from "effect"
import { CurrentActor, Ids, invalid, isPort, nextId, toActorRef, Vault } from "../../kernel/index.ts"
import { recordAudit } from "../../platform/audit/index.ts"
import { withinLimit } from "../../platform/entitlements/index.ts"
import { StoreConnectionId } from "../Ids.ts"
import type { ShopDomain } from "../Shop.ts"
import { authorizationTimeout, secretBytes, StoreAuthorizations } from "../StoreAuthorizations.ts"
import { neverSynced, StoreConnection, type StoreConnectionPatch } from "../StoreConnection.ts"
import { StoreConnections } from "../StoreConnections.ts"
import { type StorePlatform, StoreSettings } from "../StorePlatform.ts"

/** Adds a pending store, if the plan has capacity for it. */
export const addPending = Effect.fnUntraced(function* (
  provider: string,
  shopDomain: ShopDomain,
  { cartAbandonedAfterMinutes = 60, makeContacts = "never", takeConsent = false }: StoreConnectionPatch
) {
  const now = yield* DateTime.now
  const connection = new StoreConnection({
    id: yield* nextId(StoreConnectionId),
    provider,
    shopDomain,
    shopId: null,
    name: shopDomain,
    currency: null,
    country: null,
    status: "pending",
    scopes: [],
    makeContacts,
    takeConsent,
    cartAbandonedAfterMinutes,
    ordersSince: null,
    sync: neverSynced,
    asOf: null,
    fullAsOf: null,
    lastSyncedAt: null,
    lastError: null,
    connectedAt: null,
    uninstalledAt: null,
    removalStartedAt: null,
    retry: null,
    createdAt: now,
    updatedAt: now,
    version: 1
  })
  yield* (yield* StoreConnections).insert(connection).pipe(withinLimit("storeConnections"))
  yield* recordAudit(
    "store_connection.created",
    { kind: "store_connection", id: connection.id },
    { after: { provider, shopDomain, makeContacts, takeConsent, cartAbandonedAfterMinutes } }
  )
  return connection
})

/** Path of the callback. Providers redirect browsers to it. */
export const callbackPath = "/api/v1/integrations/storefront/callback"

export interface AuthorizationInput {
  readonly codeChallenge: string
  readonly returnTo: string | null
}

/** Starts a journey of the current actor to a shop. Its state is valid once. */
export const startAuthorization = Effect.fnUntraced(function* (
  platform: StorePlatform,
  { id: storeConnectionId, provider, shopDomain }: Pick<StoreConnection, "id" | "provider" | "shopDomain">,
  { codeChallenge, returnTo }: AuthorizationInput
) {
  const actor = toActorRef(yield* CurrentActor)
  const { publicUrl } = yield* StoreSettings
  const state = yield* (yield* Ids).secret(secretBytes)
  const expiresAt = DateTime.addDuration(yield* DateTime.now, authorizationTimeout)
  yield* (yield* StoreAuthorizations).insert(
    yield* (yield* Vault).digest(state),
    { storeConnectionId, provider, shopDomain, actor, codeChallenge, returnTo },
    expiresAt
  )
  return { authorizeUrl: platform.authorizeUrl(shopDomain, state, `${publicUrl}${callbackPath}`), expiresAt }
})

/** Browsers drop control characters and read a backslash as a slash. Two parsers can then see different origins, so both characters are rejected. */
const urlPattern = /^(https?:\/\/(?:[a-z0-9.-]+|\[::1\])(?::(\d+))?)(?:[/?][^#\s\p{Cc}\\]*)?$/iu

/** A program on the user's machine listens on this host (RFC 8252, 7.3). Any port is allowed, because the program picks a free one. */
const loopback = /^http:\/\/(?:127\.0\.0\.1|\[::1\])(?::\d+)?$/u

/** The origin of a URL in lower case; `null` for an invalid URL. */
const parseOrigin = (text: string): string | null => {
  const [, origin, port] = urlPattern.exec(text) ?? []
  return origin === undefined || (port !== undefined && !isPort(port)) ? null : origin.toLowerCase()
}

/** Allows URLs of this service, of the configured origins and of the loopback interface. */
export const checkReturnTo = Effect.fnUntraced(function* (returnTo: string | undefined) {
  if (returnTo === undefined) return null
  const { publicUrl, returnOrigins } = yield* StoreSettings
  const origin = parseOrigin(returnTo)
  const isAllowed =
    origin !== null && (loopback.test(origin) || [parseOrigin(publicUrl), ...returnOrigins].includes(origin))
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
