import { DateTime, Duration, Effect, Redacted } from "effect"
import { Base64 } from "effect/encoding"
import { CurrentActor, CurrentOrganization, type Permission, transact, useCase, Vault } from "../../kernel/index.ts"
import { WebhookSignatureInvalid } from "../../messaging/chat/index.ts"
import { countRejectedDeliveries, saveInboundDeliveries } from "../../platform/deliveries/index.ts"
import { Organizations } from "../../platform/identity/index.ts"
import { type StoreAuthorization, StoreAuthorizationRedemption } from "../StoreAuthorizations.ts"
import { StoreConnections, StoreDirectory } from "../StoreConnections.ts"
import {
  type RequestParameters,
  type StoreCallback,
  type StoreDeliveryRequest,
  StorePlatforms
} from "../StorePlatform.ts"
import { parkCode } from "../connecting/storeSecrets.ts"
import { StoreAuthorizationDenied, StoreCallbackSignatureInvalid, StoreCallbackStateInvalid } from "../errors.ts"
import { findAddressees, encodeEnvelope, storeSource } from "../receiving/deliveryEnvelopes.ts"

const maxAge = Duration.seconds(90)

/** Accepts a callback that a provider signed within the last 90 seconds. */
const readSigned = Effect.fnUntraced(function* (query: RequestParameters) {
  const now = yield* DateTime.now
  for (const platform of (yield* StorePlatforms).values()) {
    const callback = platform.readCallback(query)
    if (callback === null) continue
    const away = Duration.millis(Math.abs(DateTime.toEpochMillis(callback.at) - DateTime.toEpochMillis(now)))
    if (Duration.isLessThanOrEqualTo(away, maxAge)) return callback
  }
  return yield* new StoreCallbackSignatureInvalid()
})

const park = Effect.fnUntraced(function* (authorization: StoreAuthorization, code: StoreCallback["code"]) {
  const [connection] = yield* (yield* StoreConnections).find([authorization.storeConnectionId])
  if (connection === undefined) return yield* new StoreCallbackStateInvalid()
  if (code === null) return yield* new StoreAuthorizationDenied()
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
  { name: "storeConnections.receiveCallback", access: "public" },
  Effect.fnUntraced(function* (query: RequestParameters) {
    const received = yield* redeem(yield* readSigned(query))
    return received ?? (yield* new StoreCallbackStateInvalid())
  })
)

const findSigner = Effect.fnUntraced(function* (request: StoreDeliveryRequest) {
  for (const [provider, platform] of yield* StorePlatforms) {
    if (platform.isSigned(request)) return { provider, platform }
  }
  return yield* new WebhookSignatureInvalid()
})

/**
 * Stores a delivery of a shop durably before the answer, after a check of the signature over the raw bytes. Accepts every signed delivery, because
 * the provider would otherwise stop its deliveries. `path` is the part of the URL after the common prefix.
 */
export const receiveStoreDelivery = useCase(
  { name: "storeWebhooks.receive", access: "public" },
  Effect.fnUntraced(function* ({ path, ...request }: { readonly path: ReadonlyArray<string> } & StoreDeliveryRequest) {
    const { platform, provider } = yield* findSigner(request)
    const topic = (path[0] === provider ? path.slice(1) : path).join("/")
    const delivery = platform.decode(topic, request)
    if (delivery === null) {
      yield* countRejectedDeliveries(provider, "unreadable")
      return yield* Effect.logWarning("A delivery has the signature of the app, but no shop")
    }
    const { eventId, shopDomain, shopId, signals, topic: reportedTopic } = delivery
    if (signals.some(({ kind }) => kind === "unknown")) yield* countRejectedDeliveries(provider, "unknown_topic")
    const known = yield* (yield* StoreDirectory).knownAs(provider, shopDomain, shopId)
    const found = findAddressees(delivery, known)
    if (found.length === 0) return yield* countRejectedDeliveries(provider, "unowned")
    // An event can cause several deliveries of a topic, and equal bodies can belong to several events. A repeated delivery has the same event and body.
    // The key contains the connection, because the address of the shop can change.
    const same = `event ${eventId ?? ""} body ${Base64.encode(request.body)}`
    yield* saveInboundDeliveries(
      storeSource,
      provider,
      found.map(({ organizationId, storeConnectionId }) => ({
        organizationId,
        // Each store has its own lane. A busy store delays neither other stores nor customer messages.
        lane: storeConnectionId,
        body: encodeEnvelope({ storeConnectionId, topic: reportedTopic, request }, platform.deliveryHeaders),
        sameAs: `${provider} ${storeConnectionId} ${reportedTopic} ${same}`
      }))
    )
  })
)
