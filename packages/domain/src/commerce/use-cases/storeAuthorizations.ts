import { DateTime, Duration, Effect, type Redacted, Result, Schedule } from "effect"
import { CurrentActor, Locks, toActorRef, transact, useCase, Vault } from "../../kernel/index.ts"
import { recordAudit } from "../../platform/audit/index.ts"
import { requireCapacity } from "../../platform/entitlements/index.ts"
import type { StoreConnectionId } from "../Ids.ts"
import type { ShopDomain } from "../Shop.ts"
import { type ParkedStoreCode, StoreAuthorizations } from "../StoreAuthorizations.ts"
import { type NewStoreConnection, PendingStoreConnection, type StoreConnection } from "../StoreConnection.ts"
import { StoreConnections } from "../StoreConnections.ts"
import {
  requireStorePlatform,
  type StoreGrant,
  type StorePlatform,
  StoreSettings,
  StoreUnreachable,
  storeWebhookPath
} from "../StorePlatform.ts"
import { addPending, startAuthorization, checkReturnTo } from "../connecting/startAuthorization.ts"
import { saveConnectedStore } from "../connecting/saveConnectedStore.ts"
import { openParkedCode, reencryptSecrets } from "../connecting/storeSecrets.ts"
import { missingScopes, applyScopeChange } from "../connectionChanges.ts"
import { StoreBeingRemoved, StoreCodeInvalid, StoreExists, StoreScopesMissing } from "../errors.ts"
import { toConnectionView } from "../recordViews.ts"
import { loadConnectionView } from "../loadViews.ts"
import { isTransient } from "../syncing/failureBackoff.ts"

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
  Effect.fnUntraced(function* (shopDomain: ShopDomain, { codeChallenge, returnTo }: AuthorizationRequest) {
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

/** Input that completes a journey: the one-time code of the callback, and the verifier of the starter. */
export interface AuthorizationCompletion {
  readonly code: Redacted.Redacted
  readonly codeVerifier: Redacted.Redacted
}

/** PostgreSQL ends a transaction that is idle for 60 s. The preceding exchange takes up to 30 s. */
const shopTimeout = Duration.seconds(20)

/** The code of the shop is already spent, so a short outage is retried. */
const readShop = (platform: StorePlatform, access: Parameters<StorePlatform["shop"]>[0]) =>
  platform.shop(access).pipe(
    Effect.retry({
      schedule: Schedule.exponential("200 millis"),
      times: 3,
      while: ({ _tag }) => _tag === "StoreUnreachable"
    }),
    Effect.timeoutOrElse({ duration: shopTimeout, orElse: () => Effect.fail(new StoreUnreachable()) })
  )

const takeParked = Effect.fnUntraced(function* (
  id: StoreConnectionId,
  { code, codeVerifier }: AuthorizationCompletion
) {
  const vault = yield* Vault
  const claim = {
    digest: yield* vault.digest(code),
    codeChallenge: yield* vault.digest(codeVerifier),
    storeConnectionId: id,
    actor: toActorRef(yield* CurrentActor)
  }
  const parked = yield* (yield* StoreAuthorizations).takeParked(claim, yield* DateTime.now)
  return parked ?? (yield* new StoreCodeInvalid())
})

/** Runs all possible checks before the exchange, because an exchange ends the grant of another organization. */
const checkBefore = Effect.fnUntraced(function* ({ shopDomain, storeConnectionId }: ParkedStoreCode) {
  const connections = yield* StoreConnections
  const connection = yield* connections.get(storeConnectionId)
  yield* connections.claim({ ...connection, shopDomain })
  if (connection.status === "uninstalled") yield* requireCapacity("storeConnections")
})

const save = Effect.fnUntraced(function* (platform: StorePlatform, parked: ParkedStoreCode, grant: StoreGrant) {
  const { shopDomain, storeConnectionId } = parked
  const missing = missingScopes(platform.scopes, grant.scopes)
  if (missing.length > 0) return yield* new StoreScopesMissing({ missing })
  const access = { shopDomain, accessToken: grant.accessToken }
  const connection = yield* saveConnectedStore(storeConnectionId, yield* readShop(platform, access), grant)
  return { connection, platform, access }
})

/**
 * Takes the parked code, exchanges it and stores the result in one commit. A transient failure rolls back, so the code stays valid. Any other outcome
 * of the exchange is returned and spends the code.
 */
const exchangeParked = Effect.fnUntraced(function* (id: StoreConnectionId, completion: AuthorizationCompletion) {
  const parked = yield* takeParked(id, completion)
  const platform = yield* requireStorePlatform(parked)
  yield* checkBefore(parked)
  const code = yield* openParkedCode(id, parked.shopDomain, parked.sealedCode)
  const exchanged = yield* Effect.result(platform.exchange(parked.shopDomain, code))
  if (Result.isFailure(exchanged)) {
    const { failure } = exchanged
    return isTransient(failure) ? yield* failure : Result.fail(failure)
  }
  const saved = yield* Effect.result(save(platform, parked, exchanged.success))
  if (Result.isFailure(saved) && saved.failure._tag === "StoreScopesMissing") {
    // The exchange has ended the former grant.
    yield* applyScopeChange(id, exchanged.success.scopes)
  }
  return saved
}, transact)

/** Completes a journey to a shop: the starter exchanges the code of the shop, and the store is connected. */
export const completeStoreConnection = useCase(
  {
    name: "storeConnections.complete",
    access: { permission: "store_connections.manage" },
    audit: "store_connection.connected",
    emits: ["store_connection.connected"]
  },
  Effect.fnUntraced(function* (id: StoreConnectionId, completion: AuthorizationCompletion) {
    yield* (yield* StoreConnections).get(id)
    const { access, connection, platform } = yield* Effect.fromResult(yield* exchangeParked(id, completion))
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
