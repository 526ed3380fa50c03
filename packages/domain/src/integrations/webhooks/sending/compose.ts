import { Cause, Effect } from "effect"
import type { LoggedEvent } from "../../../platform/events/index.ts"
import { CurrentActor, CurrentOrganization, Cursors, isAway, refer, EventResources } from "../../../kernel/index.ts"
import type { WebhookCall } from "../calls/WebhookCall.ts"
import type { KeptDelivery } from "../WebhookDeliveries.ts"
import type { WebhookSubscription } from "../WebhookSubscription.ts"
import { textOf } from "./body.ts"

/** What an event is about, as whoever wrote the subscription could see it. */
const resourceOf = Effect.fnUntraced(function* (
  { payload, permissions }: WebhookSubscription,
  { event, position }: LoggedEvent
) {
  if (payload === "thin") return null
  const actor = yield* CurrentActor
  return yield* (yield* EventResources).read(event).pipe(
    Effect.provideService(CurrentActor, { kind: "delegate", for: refer(actor), permissions: new Set(permissions) }),
    // One resource that cannot be read keeps no delivery back: the receiver can ask for it.
    Effect.catchCauseIf(
      (cause) => !Cause.hasInterrupts(cause) && !isAway(cause),
      (cause) => Effect.as(Effect.logError(`What the event ${position} is about could not be read`, cause), null)
    )
  )
})

/** The body of a delivery of an event, as it is now. It is never kept. */
export const composeEvent = Effect.fnUntraced(function* (
  subscription: WebhookSubscription,
  id: string,
  logged: LoggedEvent
) {
  const { type, ...data } = logged.event
  return textOf({
    type,
    timestamp: logged.at,
    version: subscription.payloadVersion,
    id,
    organizationId: (yield* CurrentOrganization).id,
    position: logged.position,
    cursor: yield* (yield* Cursors).seal("events", [String(logged.position)]),
    actor: logged.actor,
    causation: logged.causation,
    data,
    resource: yield* resourceOf(subscription, logged)
  })
})

/** The body of a delivery of what an automation or a workflow posts. */
export const composeCall = Effect.fnUntraced(function* (
  subscription: WebhookSubscription,
  { at, delivery: { id, type } }: KeptDelivery,
  { actor, causation, ...data }: WebhookCall
) {
  return textOf({
    type,
    timestamp: at,
    version: subscription.payloadVersion,
    id,
    organizationId: (yield* CurrentOrganization).id,
    position: null,
    cursor: null,
    actor,
    causation,
    data: { ...data },
    resource: null
  })
})
