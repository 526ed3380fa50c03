import { DateTime, Effect, type Redacted } from "effect"
import { Ids, originOf, defineOriginSealedValue, Vault } from "../../kernel/index.ts"
import type { StoreConnectionId } from "../Ids.ts"
import type { ShopDomain } from "../Shop.ts"
import {
  authorizationTimeout,
  secretBytes,
  type StoreAuthorization,
  StoreAuthorizations
} from "../StoreAuthorizations.ts"
import type { ShopSecrets, StoreSecrets } from "../StoreConnections.ts"
import type { StoreGrant } from "../StorePlatform.ts"

const accessTokens = defineOriginSealedValue("store_connection", "access_token")
const refreshTokens = defineOriginSealedValue("store_connection", "refresh_token")

export const storeTokens = [accessTokens, refreshTokens] as const

/** Origin that receives the secrets of a shop. */
const shopOrigin = (shopDomain: ShopDomain) => originOf(`https://${shopDomain}`)

/** Opens the access token of a store, for the origin of its shop. */
export const openAccessToken = (id: StoreConnectionId, { accessToken, shopDomain }: ShopSecrets) =>
  accessTokens.open(id, shopOrigin(shopDomain), accessToken)

/** Opens a refresh token of a store, for the origin of its shop. */
export const openRefreshToken = (id: StoreConnectionId, shopDomain: ShopDomain, refreshToken: string) =>
  refreshTokens.open(id, shopOrigin(shopDomain), refreshToken)

/** Seals the grant of a shop for this store and this shop. */
export const sealGrant = Effect.fnUntraced(function* (
  id: StoreConnectionId,
  shopDomain: ShopDomain,
  { accessToken, expiresAt, refreshExpiresAt, refreshToken }: StoreGrant
) {
  const origin = shopOrigin(shopDomain)
  const secrets: StoreSecrets = {
    accessToken: yield* accessTokens.seal(id, origin, accessToken),
    expiresAt,
    refreshToken: refreshToken === null ? null : yield* refreshTokens.seal(id, origin, refreshToken),
    refreshExpiresAt
  }
  return secrets
})

/**
 * Seals the secrets of a store again: with the newest master key, or for the new domain of a renamed shop. Only the platform reports a new domain,
 * for the same shop id. Callers cannot choose it.
 */
export const reencryptSecrets = Effect.fnUntraced(function* (
  id: StoreConnectionId,
  shopDomain: ShopDomain,
  secrets: ShopSecrets
) {
  const { expiresAt, refreshExpiresAt, refreshToken } = secrets
  return yield* sealGrant(id, shopDomain, {
    accessToken: yield* openAccessToken(id, secrets),
    expiresAt,
    refreshToken: refreshToken === null ? null : yield* openRefreshToken(id, secrets.shopDomain, refreshToken),
    refreshExpiresAt,
    scopes: []
  })
})

/** A parked code opens only for the store connection of its journey and for its shop. */
export const parkedCodes = defineOriginSealedValue("store_connection", "parked_code")

/** Parks the code of a shop and returns its one-time code. */
export const parkCode = Effect.fnUntraced(function* (authorization: StoreAuthorization, shopCode: Redacted.Redacted) {
  const vault = yield* Vault
  const { actor, codeChallenge, provider, shopDomain, storeConnectionId } = authorization
  const code = yield* (yield* Ids).secret(secretBytes)
  const sealedCode = yield* parkedCodes.seal(storeConnectionId, shopOrigin(shopDomain), shopCode)
  yield* (yield* StoreAuthorizations).park(
    yield* vault.digest(code),
    { actor, codeChallenge, provider, shopDomain, storeConnectionId, sealedCode },
    DateTime.addDuration(yield* DateTime.now, authorizationTimeout)
  )
  return code
})

export const openParkedCode = (id: StoreConnectionId, shopDomain: ShopDomain, sealedCode: string) =>
  parkedCodes.open(id, shopOrigin(shopDomain), sealedCode)
