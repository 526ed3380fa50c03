import { DateTime, Duration, Effect, type Redacted, Result, Schedule } from "effect"
import { foreseeRoom } from "../../platform/entitlements/index.ts"
import { CurrentActor, refer, transact, useCase, Vault } from "../../kernel/index.ts"
import { showConnection } from "../commerce/shownStores.ts"
import { openParkedCode } from "../connecting/parkedCode.ts"
import { keepConnected } from "../connecting/keepConnected.ts"
import { missingScopes } from "../connecting/missingScopes.ts"
import { storeWebhookPath } from "../connecting/storeWebhookPath.ts"
import { StoreCodeInvalid, StoreScopesMissing } from "../Errors.ts"
import type { StoreConnectionId } from "../Ids.ts"
import { scopesChanged } from "../life/scopesChanged.ts"
import { type ParkedStoreCode, StoreAuthorizations } from "../StoreAuthorizations.ts"
import { StoreConnections } from "../StoreConnections.ts"
import { StoreUnreachable } from "../StoreFailures.ts"
import { platformOf, type StoreGrant, type StorePlatform } from "../StorePlatform.ts"
import { StoreSettings } from "../StoreSettings.ts"
import { isPassing } from "../syncing/failures.ts"

/** Input that completes a journey: the one-time code of the callback, and the verifier of the starter. */
export interface StoreCompletion {
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

const takeParked = Effect.fnUntraced(function* (id: StoreConnectionId, { code, codeVerifier }: StoreCompletion) {
  const vault = yield* Vault
  const claim = {
    digest: yield* vault.digest(code),
    codeChallenge: yield* vault.digest(codeVerifier),
    storeConnectionId: id,
    actor: refer(yield* CurrentActor)
  }
  const parked = yield* (yield* StoreAuthorizations).takeParked(claim, yield* DateTime.now)
  return parked ?? (yield* new StoreCodeInvalid())
})

/** Runs all possible checks before the exchange, because an exchange ends the grant of another organization. */
const checkBefore = Effect.fnUntraced(function* ({ shopDomain, storeConnectionId }: ParkedStoreCode) {
  const connections = yield* StoreConnections
  const connection = yield* connections.get(storeConnectionId)
  yield* connections.claim({ ...connection, shopDomain })
  if (connection.status === "uninstalled") yield* foreseeRoom("storeConnections")
})

const save = Effect.fnUntraced(function* (platform: StorePlatform, parked: ParkedStoreCode, grant: StoreGrant) {
  const { shopDomain, storeConnectionId } = parked
  const missing = missingScopes(platform.scopes, grant.scopes)
  if (missing.length > 0) return yield* new StoreScopesMissing({ missing })
  const access = { shopDomain, accessToken: grant.accessToken }
  const connection = yield* keepConnected(storeConnectionId, yield* readShop(platform, access), grant)
  return { connection, platform, access }
})

/**
 * Takes the parked code, exchanges it and stores the result in one commit. A transient failure rolls back, so the code stays valid. Any other outcome
 * of the exchange is returned and spends the code.
 */
const exchangeParked = Effect.fnUntraced(function* (id: StoreConnectionId, completion: StoreCompletion) {
  const parked = yield* takeParked(id, completion)
  const platform = yield* platformOf(parked)
  yield* checkBefore(parked)
  const code = yield* openParkedCode(id, parked.shopDomain, parked.sealedCode)
  const exchanged = yield* Effect.result(platform.exchange(parked.shopDomain, code))
  if (Result.isFailure(exchanged)) {
    const { failure } = exchanged
    return isPassing(failure) ? yield* failure : Result.fail(failure)
  }
  const saved = yield* Effect.result(save(platform, parked, exchanged.success))
  if (Result.isFailure(saved) && saved.failure._tag === "StoreScopesMissing") {
    // The exchange has ended the former grant.
    yield* scopesChanged(id, exchanged.success.scopes)
  }
  return saved
}, transact)

/** Completes a journey to a shop: the starter exchanges the code of the shop, and the store is connected. */
export const completeStoreConnection = useCase(
  "storeConnections.complete",
  { access: { permission: "store_connections.manage" } },
  Effect.fnUntraced(function* (id: StoreConnectionId, completion: StoreCompletion) {
    yield* (yield* StoreConnections).get(id)
    const { access, connection, platform } = yield* Effect.fromResult(yield* exchangeParked(id, completion))
    const { publicUrl } = yield* StoreSettings
    // Each sync subscribes again.
    yield* Effect.catch(platform.subscribe(access, `${publicUrl}${storeWebhookPath(connection.provider)}`), (error) =>
      Effect.logWarning("A store was connected without its webhooks", error)
    )
    return yield* showConnection(connection)
  })
)
