import { DateTime, Effect, Predicate, Schema } from "effect"
import type { EventShape } from "../../kernel/index.ts"
import { defineEventConsumer, EventTypes, type LoggedEvent } from "../../platform/events/index.ts"
import { matchesPattern, readEventFilter } from "./EventFilter.ts"
import { deliveryIdOf, type NewDelivery, WebhookDeliveries } from "./WebhookDeliveries.ts"
import type { WebhookSubscription } from "./WebhookSubscription.ts"
import { WebhookSubscriptions } from "./WebhookSubscriptions.ts"
import { fieldsOf } from "./subscriptionChecks.ts"
import { deliveryFanOut, scheduleSubscriptionLane } from "./subscriptionLanes.ts"

/** Returns the subject of an event for ordering: the contact, else the conversation, else the first id. */
const subjectOf = (event: EventShape): string => {
  const fields = ["contactId", "conversationId", ...Object.keys(event).filter((field) => field.endsWith("Id"))]
  const field = fields.find((name) => Predicate.isString(event[name]))
  return field === undefined ? event.type : `${field}:${String(event[field])}`
}

/** Builds the check whether the subscription's permissions include an event type. */
export const makeVisibilityCheck = Effect.fnUntraced(function* ({
  permissions
}: Pick<WebhookSubscription, "permissions">) {
  const types = yield* EventTypes
  return (type: string) => {
    const known = types.get(type)
    return known !== undefined && permissions.includes(known.permission)
  }
})

/** Builds the matcher of a subscription: its patterns, its permissions and its filter must match. */
export const makeEventMatcher = Effect.fnUntraced(function* (subscription: WebhookSubscription) {
  const types = yield* EventTypes
  const { meets } = readEventFilter(subscription.filter, "/filter", fieldsOf(types))
  const isSeen = yield* makeVisibilityCheck(subscription)
  const wanted = new Set(
    Array.from(types.keys())
      .filter(isSeen)
      .filter((type) => subscription.events.some((pattern) => matchesPattern(type, pattern)))
  )
  return {
    types: wanted,
    isFor: ({ actor, event }: LoggedEvent) => wanted.has(event.type) && meets({ event, actor })
  }
})

/** Builds the deliveries of events to a subscription. */
export const buildDeliveries = Effect.fnUntraced(function* (
  { id: subscriptionId }: WebhookSubscription,
  events: ReadonlyArray<LoggedEvent>
) {
  const at = yield* DateTime.now
  return yield* Effect.forEach(
    events,
    Effect.fnUntraced(function* ({ event, position }) {
      const delivery: NewDelivery = {
        id: yield* deliveryIdOf(subscriptionId, position),
        subscriptionId,
        type: event.type,
        position,
        subject: subjectOf(event),
        at
      }
      return delivery
    })
  )
})

/** Logged event of any type. */
const AnyEvent: Schema.Codec<EventShape, unknown> = Schema.StructWithRest(Schema.Struct({ type: Schema.String }), [
  Schema.Record(Schema.String, Schema.Unknown)
])

/** A subscription only for calls has no event patterns. */
const hasEventPatterns = ({ events }: WebhookSubscription) => events.length > 0

/** Creates a delivery of each event for each matching subscription, in the commit that advances the cursor. */
const fanOutDeliveries = defineEventConsumer({
  name: deliveryFanOut.name,
  schema: AnyEvent,
  events: deliveryFanOut.types,
  beginsWith: "next_event",
  batch: 100,
  handle: Effect.fnUntraced(function* (events) {
    const kept = (yield* (yield* WebhookSubscriptions).enabled()).filter(({ subscription }) =>
      hasEventPatterns(subscription)
    )
    if (kept.length === 0) return "nobody"
    for (const { startsAfter, subscription } of kept) {
      const { isFor } = yield* makeEventMatcher(subscription)
      const meant = events.filter((logged) => logged.position > startsAfter && isFor(logged))
      if (meant.length === 0) continue
      yield* (yield* WebhookDeliveries).make(yield* buildDeliveries(subscription, meant))
      yield* scheduleSubscriptionLane(subscription.id, "bulk")
    }
    return "done"
  })
})

export const webhookEventConsumers = [fanOutDeliveries] as const
