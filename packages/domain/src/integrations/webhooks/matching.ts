import { DateTime, Effect } from "effect"
import { type LoggedEvent, EventTypes } from "../../platform/events/index.ts"
import { Ids } from "../../kernel/index.ts"
import { fieldsOf } from "./checks.ts"
import { isMeantBy } from "./eventPatterns.ts"
import { readEventFilter } from "./filter/readEventFilter.ts"
import { WebhookDeliveryId } from "./Ids.ts"
import type { NewDelivery } from "./WebhookDeliveries.ts"
import { subjectOf } from "./sending/subjectOf.ts"
import type { WebhookSubscription } from "./WebhookSubscription.ts"

/** Whether whoever wrote a subscription could see events of a type. */
export const seenBy = Effect.fnUntraced(function* ({ permissions }: Pick<WebhookSubscription, "permissions">) {
  const types = yield* EventTypes
  return (type: string) => {
    const known = types.get(type)
    return known !== undefined && permissions.includes(known.permission)
  }
})

/** Says which events are for a subscription: those it names, that whoever wrote it could see, and that its filter lets through. */
export const matcherFor = Effect.fnUntraced(function* (subscription: WebhookSubscription) {
  const types = yield* EventTypes
  const { meets } = readEventFilter(subscription.filter, "/filter", fieldsOf(types))
  const isSeen = yield* seenBy(subscription)
  const wanted = new Set(
    Array.from(types.keys())
      .filter(isSeen)
      .filter((type) => subscription.events.some((pattern) => isMeantBy(type, pattern)))
  )
  return {
    types: wanted,
    isFor: ({ actor, event }: LoggedEvent) => wanted.has(event.type) && meets({ event, actor })
  }
})

/** The deliveries of events to a subscription. */
export const deliveriesOf = Effect.fnUntraced(function* (
  { id: subscriptionId }: WebhookSubscription,
  events: ReadonlyArray<LoggedEvent>
) {
  const { derived } = yield* Ids
  const at = yield* DateTime.now
  return yield* Effect.forEach(
    events,
    Effect.fnUntraced(function* ({ event, position }) {
      const delivery: NewDelivery = {
        id: WebhookDeliveryId.make(yield* derived(subscriptionId, String(position))),
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
