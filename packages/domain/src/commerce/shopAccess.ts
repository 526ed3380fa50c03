import { DateTime, Duration, Effect } from "effect"
import { Locks, transact } from "../kernel/index.ts"
import type { StoreConnectionId } from "./Ids.ts"
import { nextConnectionStatus, ownsShop, StoreConnection } from "./StoreConnection.ts"
import { saveConnection, type ShopSecrets, StoreConnections, type StoreSecrets } from "./StoreConnections.ts"
import {
  requireStorePlatform,
  type ShopAccess,
  type StoreGrant,
  type StorePlatform,
  StoreRefused
} from "./StorePlatform.ts"
import { openAccessToken, openRefreshToken, sealGrant } from "./connecting/storeSecrets.ts"
import { applyScopeChange } from "./connectionChanges.ts"
import { StoreNotConnected } from "./errors.ts"

/**
 * Marks the access to a shop as lost with these secrets. If a member has authorized the shop again since, the secrets are outdated and nothing
 * changes.
 */
const markAccessLost = Effect.fnUntraced(
  function* (id: StoreConnectionId, lost: StoreSecrets) {
    yield* (yield* Locks).exclusive("store_connections")
    const connections = yield* StoreConnections
    const secrets = yield* connections.lockSecrets(id)
    const before = yield* connections.get(id)
    if (secrets === null || secrets.accessToken !== lost.accessToken) return
    yield* connections.keepSecrets(id, null)
    const at = yield* DateTime.now
    yield* saveConnection(
      before,
      new StoreConnection({
        ...before,
        status: nextConnectionStatus(before.status, "lose") ?? before.status,
        lastError: {
          code: "access_lost",
          reason: "The store no longer grants access. Authorize it again.",
          at
        },
        updatedAt: at
      })
    )
  },
  // The store was removed concurrently.
  Effect.catchTag("NotFound", () => Effect.void),
  transact
)

const renewalLeadTime = Duration.minutes(5)

/** Whether an access token has expired or will expire soon. */
const isExpiring = ({ expiresAt }: StoreSecrets, now: DateTime.Utc): boolean =>
  expiresAt !== null && DateTime.isLessThanOrEqualTo(expiresAt, DateTime.addDuration(now, renewalLeadTime))

const isSame = (some: ReadonlyArray<string>, others: ReadonlyArray<string>): boolean =>
  some.length === others.length && some.every((scope) => others.includes(scope))

/** Refusal without a call of the provider: no refresh token exists. */
const noRefreshToken = new StoreRefused({
  remedy: "reauthorize",
  code: "no_refresh_token",
  reason: "The authorization has expired.",
  retryAfterMillis: null
})

/** Seals a renewed grant. The refresh token stays if the provider returns no new one. */
const sealRenewedGrant = Effect.fnUntraced(function* (id: StoreConnectionId, grant: StoreGrant, before: ShopSecrets) {
  const after = yield* sealGrant(id, before.shopDomain, grant)
  return after.refreshToken === null
    ? { ...after, refreshToken: before.refreshToken, refreshExpiresAt: before.refreshExpiresAt }
    : after
})

/**
 * Reads the secrets of a shop, and renews them if `isDue` applies to the stored ones; `null` if none exist. One of several concurrent callers over
 * all processes renews, and the others get its result. The grant of the provider is stored in one commit. If its answer is lost, nothing is stored
 * and the same refresh token stays valid. Changed scopes are stored, too.
 */
const renewSecrets = Effect.fnUntraced(function* (id: StoreConnectionId, isDue: (secrets: StoreSecrets) => boolean) {
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
      if (secrets.refreshToken === null) return yield* noRefreshToken
      const connection = yield* connections.get(id)
      const platform = yield* requireStorePlatform(connection)
      const refreshToken = yield* openRefreshToken(id, secrets.shopDomain, secrets.refreshToken)
      const grant = yield* platform.refresh(secrets.shopDomain, refreshToken)
      const after = yield* sealRenewedGrant(id, grant, secrets)
      if (!isSame(grant.scopes, connection.scopes)) scopes = grant.scopes
      yield* connections.keepSecrets(id, after)
      const renewed: ShopSecrets = { ...after, shopDomain: secrets.shopDomain }
      return renewed
    })
  )
  const secrets = yield* Effect.tapError(renewed, (error) =>
    error._tag === "StoreRefused" && error.remedy === "reauthorize" ? markAccessLost(id, asked) : Effect.void
  )
  // Stores are locked before their secrets, so this runs after the renewal. If it fails, the next renewal reports the same scopes.
  if (scopes !== null) yield* applyScopeChange(id, scopes)
  return secrets
})

const pageSize = 100

/** Unused refresh tokens expire. Those of idle stores are used once a week. */
const maxIdle = { days: 7 } as const

/** Renews the secrets of the organization's stores that were not renewed for a week. */
export const renewIdleTokens = Effect.gen(function* () {
  const connections = yield* StoreConnections
  const before = DateTime.subtract(yield* DateTime.now, maxIdle)
  let after: ReadonlyArray<string> | null = null
  for (;;) {
    const page: ReadonlyArray<StoreConnection> = yield* connections.list(null, { limit: pageSize, after })
    for (const { id } of page.filter(({ status }) => ownsShop(status))) {
      yield* renewSecrets(
        id,
        ({ expiresAt, refreshToken }) =>
          refreshToken !== null && expiresAt !== null && DateTime.isLessThanOrEqualTo(expiresAt, before)
      ).pipe(Effect.catch((error) => Effect.logWarning(`The access token of the store ${id} was not renewed`, error)))
    }
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize) return
    after = [last.id]
  }
})

/** A shop that can be read. */
export interface OpenShop {
  readonly connection: StoreConnection
  readonly platform: StorePlatform
  readonly access: ShopAccess
}

const open = Effect.fnUntraced(function* (id: StoreConnectionId, isDue: (secrets: StoreSecrets) => boolean) {
  const secrets = yield* renewSecrets(id, isDue)
  const connection = yield* (yield* StoreConnections).get(id)
  if (secrets === null || connection.status !== "connected") {
    return yield* new StoreNotConnected({ storeStatus: connection.status })
  }
  const accessToken = yield* openAccessToken(id, secrets)
  const platform = yield* requireStorePlatform(connection)
  return { secrets, shop: { connection, platform, access: { shopDomain: secrets.shopDomain, accessToken } } }
})

const isAccessLost = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "remedy" in error && error.remedy === "reauthorize"

/**
 * Calls a shop with its access token. Renews the token five minutes before it expires, and once if the shop refuses it earlier. A second refusal
 * marks the access as lost. Must run outside of a unit of work, because it calls the provider.
 */
export const withShop = Effect.fnUntraced(function* <A, E, R>(
  id: StoreConnectionId,
  use: (shop: OpenShop) => Effect.Effect<A, E, R>
) {
  const now = yield* DateTime.now
  const first = yield* open(id, (secrets) => isExpiring(secrets, now))
  return yield* use(first.shop).pipe(
    Effect.catchIf(isAccessLost, () =>
      Effect.gen(function* () {
        const second = yield* open(id, ({ accessToken }) => accessToken === first.secrets.accessToken)
        return yield* use(second.shop).pipe(
          Effect.tapError((error) => (isAccessLost(error) ? markAccessLost(id, second.secrets) : Effect.void))
        )
      })
    )
  )
})
