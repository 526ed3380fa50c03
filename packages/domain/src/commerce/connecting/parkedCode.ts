import { DateTime, Effect, type Redacted } from "effect"
import { Ids, sealedForOrigin, Vault } from "../../kernel/index.ts"
import type { StoreConnectionId } from "../Ids.ts"
import type { ShopDomain } from "../ShopDomain.ts"
import { type StoreAuthorization, StoreAuthorizations } from "../StoreAuthorizations.ts"
import { journeyTimeout, secretBytes } from "./journey.ts"
import { originOfShop } from "./secrets.ts"

/** A parked code opens only for the store connection of its journey and for its shop. */
export const parkedCodes = sealedForOrigin("store_connection", "parked_code")

/** Parks the code of a shop and returns its one-time code. */
export const parkCode = Effect.fnUntraced(function* (authorization: StoreAuthorization, shopCode: Redacted.Redacted) {
  const vault = yield* Vault
  const { actor, codeChallenge, provider, shopDomain, storeConnectionId } = authorization
  const code = yield* (yield* Ids).secret(secretBytes)
  const sealedCode = yield* parkedCodes.seal(storeConnectionId, originOfShop(shopDomain), shopCode)
  yield* (yield* StoreAuthorizations).park(
    yield* vault.digest(code),
    { actor, codeChallenge, provider, shopDomain, storeConnectionId, sealedCode },
    DateTime.addDuration(yield* DateTime.now, journeyTimeout)
  )
  return code
})

export const openParkedCode = (id: StoreConnectionId, shopDomain: ShopDomain, sealedCode: string) =>
  parkedCodes.open(id, originOfShop(shopDomain), sealedCode)
