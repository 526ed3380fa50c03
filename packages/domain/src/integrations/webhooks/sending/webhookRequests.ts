import { Cause, DateTime, Effect, Redacted, type Schema } from "effect"
import {
  type ActorRef,
  type Causation,
  CurrentActor,
  CurrentOrganization,
  Cursors,
  EventResources,
  isStorageUnavailable,
  type OrganizationId,
  toActorRef
} from "../../../kernel/index.ts"
import type { LoggedEvent } from "../../../platform/events/index.ts"
import { utf8Bytes } from "../../../platform/files/index.ts"
import type { StoredWebhookDelivery } from "../WebhookDeliveries.ts"
import type { AttemptTrigger, WebhookCall } from "../WebhookDelivery.ts"
import { type WebhookOutcome, WebhookSender } from "../WebhookSender.ts"
import type { WebhookSubscription } from "../WebhookSubscription.ts"
import type { StoredWebhookSubscription } from "../WebhookSubscriptions.ts"
import { openHeaders, openLiveSecrets } from "../signingSecrets.ts"

/** A larger body goes without its resource: the receiver reads that by itself. */
export const maxWebhookBodyBytes = 256 * 1024

/** What is posted. */
export interface WebhookBody {
  readonly type: string
  readonly timestamp: DateTime.Utc
  readonly version: "v1"
  readonly id: string
  readonly organizationId: OrganizationId
  readonly position: number | null
  readonly cursor: string | null
  readonly actor: ActorRef
  readonly causation: Causation | null
  readonly data: Readonly<Record<string, unknown>>
  readonly resource: Schema.Json
  /** Only in a test. */
  readonly test?: true
}

const serializeBody = (body: WebhookBody) => JSON.stringify({ ...body, timestamp: DateTime.formatIso(body.timestamp) })

/** The text of a body: what is signed is sent byte for byte. */
export const encodeWebhookBody = (body: WebhookBody): string => {
  const text = serializeBody(body)
  return body.resource === null || utf8Bytes(text).length <= maxWebhookBodyBytes
    ? text
    : serializeBody({ ...body, resource: null })
}

/** What an event is about, as whoever wrote the subscription could see it. */
const resourceOf = Effect.fnUntraced(function* (
  { payload, permissions }: WebhookSubscription,
  { event, position }: LoggedEvent
) {
  if (payload === "thin") return null
  const actor = yield* CurrentActor
  return yield* (yield* EventResources).read(event).pipe(
    Effect.provideService(CurrentActor, {
      kind: "delegate",
      for: toActorRef(actor),
      permissions: new Set(permissions)
    }),
    // One resource that cannot be read keeps no delivery back: the receiver can ask for it.
    Effect.catchCauseIf(
      (cause) => !Cause.hasInterrupts(cause) && !isStorageUnavailable(cause),
      (cause) => Effect.as(Effect.logError(`What the event ${position} is about could not be read`, cause), null)
    )
  )
})

/** The body of a delivery of an event, as it is now. It is never kept. */
const composeEvent = Effect.fnUntraced(function* (subscription: WebhookSubscription, id: string, logged: LoggedEvent) {
  const { type, ...data } = logged.event
  return encodeWebhookBody({
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
const composeCall = Effect.fnUntraced(function* (
  subscription: WebhookSubscription,
  { at, delivery: { id, type } }: StoredWebhookDelivery,
  { actor, causation, ...data }: WebhookCall
) {
  return encodeWebhookBody({
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

/** An attempt that was made. */
export interface PostedDelivery {
  readonly kept: StoredWebhookDelivery
  readonly trigger: AttemptTrigger
  readonly at: DateTime.Utc
  readonly endedAt: DateTime.Utc
  readonly outcome: WebhookOutcome
}

/** What every request to a subscription has: the secrets that sign, and the headers it is sent besides. */
export const buildRequestTarget = Effect.fnUntraced(function* ({ secrets, subscription }: StoredWebhookSubscription) {
  const headers = yield* openHeaders(subscription, secrets)
  return {
    url: subscription.url,
    secrets: yield* openLiveSecrets(subscription.id, secrets),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Redacted.make(value)]))
  }
})

/** Makes one attempt: the body is made of what is there now. */
export const postDelivery = Effect.fnUntraced(function* (
  to: StoredWebhookSubscription,
  kept: StoredWebhookDelivery,
  told: LoggedEvent | WebhookCall,
  trigger: AttemptTrigger
) {
  const { delivery } = kept
  const body =
    "event" in told
      ? yield* composeEvent(to.subscription, delivery.id, told)
      : yield* composeCall(to.subscription, kept, told)
  const target = yield* buildRequestTarget(to)
  const at = yield* DateTime.now
  const outcome = yield* (yield* WebhookSender).post({
    ...target,
    id: delivery.id,
    at,
    attempt: delivery.attempts + 1,
    body
  })
  return { kept, trigger, at, endedAt: yield* DateTime.now, outcome } satisfies PostedDelivery
})
