import { Effect, Metric } from "effect"
import { Base64 } from "effect/encoding"
import { WebhookSignatureInvalid } from "../../messaging/chat/index.ts"
import { storeDeliveries } from "../../platform/deliveries/index.ts"
import { useCase } from "../../kernel/index.ts"
import { addresseesOf } from "../receiving/addresseesOf.ts"
import { sealEnvelope } from "../receiving/envelope.ts"
import { storeSource } from "../receiving/storeSource.ts"
import { StoreDirectory } from "../StoreConnections.ts"
import { type StoreDeliveryRequest, StorePlatforms } from "../StorePlatform.ts"

const unowned = Metric.counter("parley_store_deliveries_unowned", {
  description: "Deliveries of shops that no organization has connected."
})

const unreadable = Metric.counter("parley_store_deliveries_unreadable", {
  description: "Deliveries that are signed with the app's secret, but are none of a shop."
})

const unknownTopics = Metric.counter("parley_store_deliveries_unknown", {
  description: "Deliveries of shops about something that nobody here understands. They are kept."
})

const signerOf = Effect.fnUntraced(function* (request: StoreDeliveryRequest) {
  for (const [provider, platform] of yield* StorePlatforms) {
    if (platform.isSigned(request)) return { provider, platform }
  }
  return yield* new WebhookSignatureInvalid()
})

/**
 * Takes in what a shop delivers: it is checked over its raw bytes, and stored for good before this answers. Whatever is signed is taken, or the
 * provider would end its deliveries. `path` is what the address says beside what it has in common with all others.
 */
export const receiveStoreDelivery = useCase(
  "storeWebhooks.receive",
  { access: "public" },
  Effect.fnUntraced(function* (path: ReadonlyArray<string>, request: StoreDeliveryRequest) {
    const { platform, provider } = yield* signerOf(request)
    const topic = (path[0] === provider ? path.slice(1) : path).join("/")
    const delivery = platform.decode(topic, request)
    if (delivery === null) {
      yield* Metric.update(unreadable, 1)
      return yield* Effect.logWarning("A delivery is signed with the app's secret, but is none of a shop")
    }
    const { eventId, shopDomain, shopId, signals, topic: told } = delivery
    if (signals.some(({ kind }) => kind === "unknown")) yield* Metric.update(unknownTopics, 1)
    const known = yield* (yield* StoreDirectory).knownAs(provider, shopDomain, shopId)
    const found = addresseesOf(delivery, known)
    if (found.length === 0) return yield* Metric.update(unowned, 1)
    // A repetition shares its event with the first, or else its body. The connection stands for the shop, whatever its address.
    const same = eventId === null ? `body ${Base64.encode(request.body)}` : `event ${eventId}`
    yield* storeDeliveries(
      storeSource,
      provider,
      found.map(({ organizationId, storeConnectionId }) => ({
        organizationId,
        // A store that tells much at once keeps no other store waiting, nor what customers write.
        lane: storeConnectionId,
        body: sealEnvelope({ storeConnectionId, topic: told, request }, platform.deliveryHeaders),
        sameAs: `${provider} ${storeConnectionId} ${told} ${same}`
      }))
    )
  })
)
