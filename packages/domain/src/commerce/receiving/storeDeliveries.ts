import { Effect } from "effect"
import { deliverySource, type WaitingDelivery } from "../../platform/deliveries/index.ts"
import { StorePlatforms } from "../StorePlatform.ts"
import { applyTold, type ToldByStore } from "./applyTold.ts"
import { openEnvelope } from "./envelope.ts"
import { storeSource } from "./storeSource.ts"

/** What a delivery tells, in its order; `null` if it is none of this provider. */
const read = Effect.fnUntraced(function* (provider: string, { body, id, receivedAt }: WaitingDelivery) {
  const platform = (yield* StorePlatforms).get(provider)
  // Without the app nobody knows its words; once it is there again, the delivery is worked through.
  if (platform === undefined) return yield* Effect.die(new Error(`There is no app for stores of ${provider}.`))
  const opened = openEnvelope(body)
  const delivery = opened === null ? null : platform.decode(opened.topic, opened.request)
  if (opened === null || delivery === null) return null
  const { storeConnectionId } = opened
  return delivery.signals.map((signal): ToldByStore => ({ storeConnectionId, deliveryId: id, at: receivedAt, signal }))
})

/** What stores deliver: what has changed in them, and what becomes of them. */
export const storeDeliveries = deliverySource({
  name: storeSource,
  read,
  isUnknown: ({ signal }) => signal.kind === "unknown",
  apply: (_provider, told) => applyTold(told)
})
