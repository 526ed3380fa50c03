import { DateTime, Duration, Effect } from "effect"
import { transact } from "../../kernel/index.ts"
import { openRefreshToken, sealGrant } from "../connecting/secrets.ts"
import type { StoreConnectionId } from "../Ids.ts"
import { type ShopSecrets, StoreConnections, type StoreSecrets } from "../StoreConnections.ts"
import { StoreRefused } from "../StoreFailures.ts"
import { platformOf, type StoreGrant } from "../StorePlatform.ts"
import { scopesChanged } from "../life/scopesChanged.ts"
import { loseAccess } from "./loseAccess.ts"

const early = Duration.minutes(5)

/** Whether an access token is about to expire, or has. */
export const isExpiring = ({ expiresAt }: StoreSecrets, now: DateTime.Utc): boolean =>
  expiresAt !== null && DateTime.isLessThanOrEqualTo(expiresAt, DateTime.addDuration(now, early))

const isSame = (some: ReadonlyArray<string>, others: ReadonlyArray<string>): boolean =>
  some.length === others.length && some.every((scope) => others.includes(scope))

/** Tells of an end that no provider has to be asked for: there is nothing to get a new token with. */
const nothingToRenew = new StoreRefused({
  remedy: "reauthorize",
  code: "no_refresh_token",
  reason: "What was agreed to has ended.",
  retryAfterMillis: null
})

/** The refresh token stays where the provider gives no other. */
const sealed = Effect.fnUntraced(function* (id: StoreConnectionId, grant: StoreGrant, before: ShopSecrets) {
  const after = yield* sealGrant(id, before.shopDomain, grant)
  return after.refreshToken === null
    ? { ...after, refreshToken: before.refreshToken, refreshExpiresAt: before.refreshExpiresAt }
    : after
})

/**
 * What a shop is read with, renewed where `isDue` says so of what is kept by then: of many who ask at once one does it, over all processes, and the
 * others have what it got. What the provider gives and what is kept change in one commit; if its answer is lost, nothing is kept, and
 * the same refresh token is good once more. What the shop agrees to by then is kept, too. `null` where there is nothing.
 */
export const renewSecrets = Effect.fnUntraced(function* (
  id: StoreConnectionId,
  isDue: (secrets: StoreSecrets) => boolean
) {
  const connections = yield* StoreConnections
  const kept = yield* connections.secrets(id)
  if (kept === null || !isDue(kept)) return kept
  let asked = kept
  let scopes: ReadonlyArray<string> | null = null
  const renewed = transact(
    Effect.gen(function* () {
      const secrets = yield* connections.lockSecrets(id)
      if (secrets === null || !isDue(secrets)) return secrets
      asked = secrets
      if (secrets.refreshToken === null) return yield* nothingToRenew
      const connection = yield* connections.get(id)
      const platform = yield* platformOf(connection)
      const refreshToken = yield* openRefreshToken(id, secrets.shopDomain, secrets.refreshToken)
      const grant = yield* platform.refresh(secrets.shopDomain, refreshToken)
      const after = yield* sealed(id, grant, secrets)
      if (!isSame(grant.scopes, connection.scopes)) scopes = grant.scopes
      yield* connections.keepSecrets(id, after)
      const renewed: ShopSecrets = { ...after, shopDomain: secrets.shopDomain }
      return renewed
    })
  )
  const secrets = yield* Effect.tapError(renewed, (error) =>
    error._tag === "StoreRefused" && error.remedy === "reauthorize" ? loseAccess(id, asked) : Effect.void
  )
  // Stores are locked before their secrets, so this comes after. If it is lost, the next renewal tells the same.
  if (scopes !== null) yield* scopesChanged(id, scopes)
  return secrets
})
