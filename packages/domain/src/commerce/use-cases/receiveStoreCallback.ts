import { DateTime, Duration, Effect, Redacted } from "effect"
import { Organizations } from "../../platform/identity/index.ts"
import { CurrentActor, CurrentOrganization, type Permission, transact, useCase, Vault } from "../../kernel/index.ts"
import { parkCode } from "../connecting/parkedCode.ts"
import { AuthorizationDenied, CallbackSignatureInvalid, CallbackStateInvalid } from "../Errors.ts"
import { type StoreAuthorization, StoreAuthorizationRedemption } from "../StoreAuthorizations.ts"
import { StoreConnections } from "../StoreConnections.ts"
import { type Parameters, type StoreCallback, StorePlatforms } from "../StorePlatform.ts"

const maxAge = Duration.seconds(90)

/** Accepts a callback that a provider signed within the last 90 seconds. */
const readSigned = Effect.fnUntraced(function* (query: Parameters) {
  const now = yield* DateTime.now
  for (const platform of (yield* StorePlatforms).values()) {
    const callback = platform.readCallback(query)
    if (callback === null) continue
    const away = Duration.millis(Math.abs(DateTime.toEpochMillis(callback.at) - DateTime.toEpochMillis(now)))
    if (Duration.isLessThanOrEqualTo(away, maxAge)) return callback
  }
  return yield* new CallbackSignatureInvalid()
})

const park = Effect.fnUntraced(function* (authorization: StoreAuthorization, code: StoreCallback["code"]) {
  const [connection] = yield* (yield* StoreConnections).find([authorization.storeConnectionId])
  if (connection === undefined) return yield* new CallbackStateInvalid()
  if (code === null) return yield* new AuthorizationDenied()
  return yield* parkCode(authorization, code)
})

/** The callback has no session and therefore no permission. */
const noPermissions: ReadonlySet<Permission> = new Set()

/** Spends the state and parks the code in one commit. A state with another shop is also spent. */
const redeem = Effect.fnUntraced(function* ({ code, shopDomain, state }: StoreCallback) {
  const digest = yield* (yield* Vault).digest(Redacted.make(state))
  const redeemed = yield* (yield* StoreAuthorizationRedemption).redeem(digest, yield* DateTime.now)
  if (redeemed === null || redeemed.shopDomain !== shopDomain) return null
  const { organizationId, ...authorization } = redeemed
  const { actor, returnTo, storeConnectionId } = authorization
  return yield* Effect.gen(function* () {
    const { id, name } = yield* (yield* Organizations).current()
    const parked = yield* Effect.result(park(authorization, code))
    return { returnTo, storeConnectionId, organization: { id, name }, code: parked }
  }).pipe(
    Effect.provideService(CurrentOrganization, { id: organizationId }),
    Effect.provideService(CurrentActor, { kind: "delegate", for: actor, permissions: noPermissions })
  )
}, transact)

/**
 * Receives a browser that returns from a shop. It connects nothing, because the person at the browser can differ from the starter. It parks the code
 * of the shop and returns a one-time code that only the starter can use. After the state is spent, a rejection includes the return address.
 */
export const receiveStoreCallback = useCase(
  "storeConnections.receiveCallback",
  { access: "public" },
  Effect.fnUntraced(function* (query: Parameters) {
    const received = yield* redeem(yield* readSigned(query))
    return received ?? (yield* new CallbackStateInvalid())
  })
)
