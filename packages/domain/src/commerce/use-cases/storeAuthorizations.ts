import { DateTime, Effect } from "effect"
import { Locks, transact, useCase } from "../../kernel/index.ts"
import { recordAudit } from "../../platform/audit/index.ts"
import type { StoreConnectionId } from "../Ids.ts"
import type { ShopDomain } from "../Shop.ts"
import { type NewStoreConnection, PendingStoreConnection, type StoreConnection } from "../StoreConnection.ts"
import { StoreConnections } from "../StoreConnections.ts"
import { requireStorePlatform, StoreSettings, storeWebhookPath } from "../StorePlatform.ts"
import { type AuthorizationCompletion, exchangeParkedCode } from "../connecting/exchangeCode.ts"
import { addPending, startAuthorization, checkReturnTo } from "../connecting/startAuthorization.ts"
import { reencryptSecrets } from "../connecting/storeSecrets.ts"
import { StoreBeingRemoved, StoreExists } from "../errors.ts"
import { toConnectionView } from "../recordViews.ts"
import { loadConnectionView } from "../loadViews.ts"

export interface AuthorizationRequest {
  readonly codeChallenge: string
  readonly returnTo?: string
}

/** Provider of shops with this kind of domain. */
const provider = "shopify"

/** The removal of a small store ends within seconds. */
const removalRetrySeconds = 5

/** The store of this shop; `null` if it does not exist. A journey to a store in removal would end at a deleted connection. */
const findKnown = Effect.fnUntraced(function* (provider: string, shopDomain: ShopDomain) {
  const known = yield* (yield* StoreConnections).findByDomain(provider, shopDomain)
  return known === null || known.removalStartedAt === null
    ? known
    : yield* new StoreBeingRemoved({ storeConnectionId: known.id, retryAfterSeconds: removalRetrySeconds })
})

/** Starts a journey to a shop, to connect it or to authorize it again. Only the same actor can complete it, with the verifier of `codeChallenge`. */
export const startStoreAuthorization = useCase(
  {
    name: "storeConnections.authorize",
    access: { permission: "store_connections.manage" },
    audit: "store_connection.authorization_begun"
  },
  Effect.fnUntraced(function* ({
    shop: shopDomain,
    codeChallenge,
    returnTo
  }: { readonly shop: ShopDomain } & AuthorizationRequest) {
    const platform = yield* requireStorePlatform({ provider })
    const allowed = yield* checkReturnTo(returnTo)
    yield* (yield* Locks).exclusive("store_connections")
    const known = yield* findKnown(provider, shopDomain)
    if (known !== null) {
      yield* recordAudit("store_connection.authorization_begun", { kind: "store_connection", id: known.id })
    }
    const connection =
      known ?? (yield* Effect.catchTag(addPending(provider, shopDomain, {}), "StoreExists", Effect.die))
    const begun = yield* startAuthorization(
      platform,
      { ...connection, shopDomain },
      { codeChallenge, returnTo: allowed }
    )
    return { ...begun, storeConnectionId: connection.id }
  }, transact)
)

/** Starts to connect a store. It is pending until the same actor completes the journey. */
export const connectStore = useCase(
  {
    name: "storeConnections.connect",
    access: { permission: "store_connections.manage" },
    audit: "store_connection.created"
  },
  Effect.fnUntraced(function* ({ codeChallenge, provider, returnTo, shopDomain, ...settings }: NewStoreConnection) {
    const platform = yield* requireStorePlatform({ provider })
    const allowed = yield* checkReturnTo(returnTo)
    yield* (yield* Locks).exclusive("store_connections")
    const known = yield* findKnown(provider, shopDomain)
    if (known !== null) return yield* new StoreExists({ storeConnectionId: known.id })
    const connection = yield* addPending(provider, shopDomain, settings)
    const { authorizeUrl, expiresAt } = yield* startAuthorization(platform, connection, {
      codeChallenge,
      returnTo: allowed
    })
    return new PendingStoreConnection({
      ...toConnectionView(connection, yield* DateTime.now),
      authorizeUrl,
      authorizeExpiresAt: expiresAt
    })
  }, transact)
)

/** Completes a journey to a shop: the starter exchanges the code of the shop, and the store is connected. */
export const completeStoreConnection = useCase(
  {
    name: "storeConnections.complete",
    access: { permission: "store_connections.manage" },
    audit: "store_connection.connected",
    emits: ["store_connection.connected"]
  },
  Effect.fnUntraced(function* ({ id, ...completion }: { readonly id: StoreConnectionId } & AuthorizationCompletion) {
    yield* (yield* StoreConnections).get(id)
    const { access, connection, platform } = yield* exchangeParkedCode(id, completion)
    const { publicUrl } = yield* StoreSettings
    // Each sync subscribes again.
    yield* Effect.catch(platform.subscribe(access, `${publicUrl}${storeWebhookPath(connection.provider)}`), (error) =>
      Effect.logWarning("A store was connected without its webhooks", error)
    )
    return yield* loadConnectionView(connection)
  })
)

const reencryptStore = Effect.fnUntraced(function* ({ id }: StoreConnection) {
  const connections = yield* StoreConnections
  const secrets = yield* connections.lockSecrets(id)
  if (secrets === null) return 0
  yield* Effect.orDie(connections.keepSecrets(id, yield* reencryptSecrets(id, secrets.shopDomain, secrets)))
  yield* recordAudit("store_connection.resealed", { kind: "store_connection", id })
  return 1
}, transact)

const pageSize = 100

/** Seals the access of all stores of the organization again with the newest master key. Returns the number of stores. */
export const reencryptStoreSecrets = useCase(
  { name: "storeConnections.reseal", access: "operator", audit: "store_connection.resealed" },
  Effect.fnUntraced(function* () {
    const connections = yield* StoreConnections
    let sealed = 0
    let after: ReadonlyArray<string> | null = null
    for (;;) {
      const page: ReadonlyArray<StoreConnection> = yield* connections.list(null, { limit: pageSize, after })
      for (const connection of page) sealed += yield* reencryptStore(connection)
      const last = page.at(-1)
      if (last === undefined || page.length < pageSize) return sealed
      after = [last.id]
    }
  })
)
