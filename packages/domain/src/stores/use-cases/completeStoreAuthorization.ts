import { DateTime, Duration, Effect, Redacted, Schedule } from "effect"
import { foreseeRoom } from "../../entitlements/index.ts"
import { Organizations } from "../../identity/index.ts"
import { CurrentActor, CurrentOrganization, transact, useCase, Vault } from "../../kernel/index.ts"
import { keepConnected } from "../connecting/keepConnected.ts"
import { missingScopes } from "../connecting/missingScopes.ts"
import { storeWebhookPath } from "../connecting/storeWebhookPath.ts"
import { AuthorizationDenied, CallbackSignatureInvalid, CallbackStateInvalid, StoreScopesMissing } from "../Errors.ts"
import { scopesChanged } from "../life/scopesChanged.ts"
import { type StoreAuthorization, StoreAuthorizationRedemption } from "../StoreAuthorizations.ts"
import { StoreConnections } from "../StoreConnections.ts"
import { type Parameters, type StoreCallback, type StorePlatform, StorePlatforms } from "../StorePlatform.ts"
import { StoreSettings } from "../StoreSettings.ts"

const longestWay = Duration.seconds(90)

/** The callback, and the platform whose provider has signed it. */
const readSigned = Effect.fnUntraced(function* (query: Parameters) {
  const now = yield* DateTime.now
  for (const platform of (yield* StorePlatforms).values()) {
    const callback = platform.readCallback(query)
    if (callback === null) continue
    const away = Duration.millis(Math.abs(DateTime.toEpochMillis(callback.at) - DateTime.toEpochMillis(now)))
    if (Duration.isLessThanOrEqualTo(away, longestWay)) return { callback, platform }
  }
  return yield* new CallbackSignatureInvalid()
})

const redeem = Effect.fnUntraced(function* ({ shopDomain, state }: StoreCallback) {
  const digest = yield* (yield* Vault).digest(Redacted.make(state))
  const redeemed = yield* (yield* StoreAuthorizationRedemption).redeem(digest, yield* DateTime.now).pipe(transact)
  return redeemed === null || redeemed.shopDomain !== shopDomain ? yield* new CallbackStateInvalid() : redeemed
})

/** The code is spent by now: a moment in which the store is away shall not lose it. */
const patiently = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.retry(effect, {
    schedule: Schedule.exponential("200 millis"),
    times: 3,
    while: ({ _tag }) => _tag === "StoreUnreachable"
  })

/** Whatever can be refused without it is refused before the code is exchanged: that would end a grant of another organization. */
const checkBefore = Effect.fnUntraced(function* ({ storeConnectionId }: StoreAuthorization) {
  const connections = yield* StoreConnections
  const [connection] = yield* connections.find([storeConnectionId])
  if (connection === undefined) return yield* new CallbackStateInvalid()
  yield* connections.claim(connection)
  if (connection.status === "uninstalled") yield* foreseeRoom("storeConnections")
}, transact)

const connect = Effect.fnUntraced(function* (
  platform: StorePlatform,
  { code, shopDomain }: StoreCallback,
  authorization: StoreAuthorization
) {
  if (code === null) return yield* new AuthorizationDenied()
  yield* checkBefore(authorization)
  const grant = yield* platform.exchange(shopDomain, code)
  const missing = missingScopes(platform.scopes, grant.scopes)
  if (missing.length > 0) {
    // The grant before has ended by this one.
    yield* scopesChanged(authorization.storeConnectionId, grant.scopes)
    return yield* new StoreScopesMissing({ missing })
  }
  const access = { shopDomain, accessToken: grant.accessToken }
  const shop = yield* patiently(platform.shop(access))
  const connection = yield* keepConnected(authorization.storeConnectionId, shop, grant)
  const { publicUrl } = yield* StoreSettings
  // What is lost here is made again by every sync.
  yield* Effect.catch(platform.subscribe(access, `${publicUrl}${storeWebhookPath(authorization.provider)}`), (error) =>
    Effect.logWarning("A store was connected without its webhooks", error)
  )
  return connection.id
})

/**
 * Connects a store once somebody has agreed in the shop. What failed after the state was spent is said together with where to go back to, so that
 * whoever came is not left in front of a problem.
 */
export const completeStoreAuthorization = useCase(
  "storeConnections.complete",
  { access: "public" },
  Effect.fnUntraced(function* (query: Parameters) {
    const { callback, platform } = yield* readSigned(query)
    const { organizationId, ...authorization } = yield* redeem(callback)
    const { actor, permissions, returnTo, storeConnectionId } = authorization
    return yield* Effect.gen(function* () {
      const { id, name } = yield* (yield* Organizations).current()
      const connected = yield* Effect.result(connect(platform, callback, authorization))
      return { returnTo, storeConnectionId, organization: { id, name }, connected }
    }).pipe(
      Effect.provideService(CurrentOrganization, { id: organizationId }),
      Effect.provideService(CurrentActor, { kind: "delegate", for: actor, permissions: new Set(permissions) })
    )
  })
)
