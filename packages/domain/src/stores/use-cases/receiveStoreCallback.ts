import { DateTime, Duration, Effect, Redacted } from "effect"
import { Organizations } from "../../identity/index.ts"
import { CurrentActor, CurrentOrganization, type Permission, transact, useCase, Vault } from "../../kernel/index.ts"
import { parkCode } from "../connecting/parkedCode.ts"
import { AuthorizationDenied, CallbackSignatureInvalid, CallbackStateInvalid } from "../Errors.ts"
import { type StoreAuthorization, StoreAuthorizationRedemption } from "../StoreAuthorizations.ts"
import { StoreConnections } from "../StoreConnections.ts"
import { type Parameters, type StoreCallback, StorePlatforms } from "../StorePlatform.ts"

const maxAge = Duration.seconds(90)

/** The callback, if a provider has signed it within the last 90 seconds. */
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

/** The callback has no session, so it holds no permission. */
const noPermissions: ReadonlySet<Permission> = new Set()

/** Spends the state and parks the code in one commit. A state that comes with another shop is spent too. */
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
 * Takes in a browser that comes back from a shop. It connects nothing: whoever followed the link may not be the starter. It parks the code of the
 * shop and returns a one-time code, which only the starter can use. A refusal after the state is spent comes with the address to return to.
 */
export const receiveStoreCallback = useCase(
  "storeConnections.receiveCallback",
  { access: "public" },
  Effect.fnUntraced(function* (query: Parameters) {
    const received = yield* redeem(yield* readSigned(query))
    return received ?? (yield* new CallbackStateInvalid())
  })
)
