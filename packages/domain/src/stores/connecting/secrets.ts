import { Effect } from "effect"
import { CurrentOrganization, Vault } from "../../kernel/index.ts"
import type { StoreConnectionId } from "../Ids.ts"
import type { StoreSecrets } from "../StoreConnections.ts"
import type { StoreGrant } from "../StorePlatform.ts"

/** What a secret of a store is sealed for. */
export const secretContext = Effect.fnUntraced(function* (
  id: StoreConnectionId,
  name: "access_token" | "refresh_token"
) {
  return `store_connection/${(yield* CurrentOrganization).id}/${id}/${name}`
})

/** Opens a secret of a store. */
export const openStoreSecret = Effect.fnUntraced(function* (
  id: StoreConnectionId,
  name: "access_token" | "refresh_token",
  sealed: string
) {
  return yield* (yield* Vault).open(yield* secretContext(id, name), sealed)
})

/** What was agreed to in a shop, sealed so that it opens for this store only. */
export const sealGrant = Effect.fnUntraced(function* (
  id: StoreConnectionId,
  { accessToken, expiresAt, refreshExpiresAt, refreshToken }: StoreGrant
) {
  const vault = yield* Vault
  const secrets: StoreSecrets = {
    accessToken: yield* vault.seal(yield* secretContext(id, "access_token"), accessToken),
    expiresAt,
    refreshToken:
      refreshToken === null ? null : yield* vault.seal(yield* secretContext(id, "refresh_token"), refreshToken),
    refreshExpiresAt
  }
  return secrets
})
