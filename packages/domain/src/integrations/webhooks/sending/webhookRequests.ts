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

/** Maximum size of a body. A larger body omits its resource, and the receiver reads the resource itself. */
export const maxWebhookBodyBytes = 256 * 1024

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
  /** Set only in a test. */
  readonly test?: true
}

const serializeBody = (body: WebhookBody) => JSON.stringify({ ...body, timestamp: DateTime.formatIso(body.timestamp) })

/** Encodes a body. Exactly the signed bytes are sent. */
export const encodeWebhookBody = (body: WebhookBody): string => {
  const text = serializeBody(body)
  return body.resource === null || utf8Bytes(text).length <= maxWebhookBodyBytes
    ? text
    : serializeBody({ ...body, resource: null })
}

/** Loads the resource of an event with the subscription's permissions. */
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
    // An unreadable resource does not delay the delivery, because the receiver can request it.
    Effect.catchCauseIf(
      (cause) => !Cause.hasInterrupts(cause) && !isStorageUnavailable(cause),
      (cause) => Effect.as(Effect.logError(`The resource of the event ${position} could not be read`, cause), null)
    )
  )
})

/** Builds the current body of an event delivery. It is never stored. */
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

/** Builds the body of a call of an automation or a workflow. */
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

/** Completed attempt. */
export interface PostedDelivery {
  readonly kept: StoredWebhookDelivery
  readonly trigger: AttemptTrigger
  /** Erasures of the subscription at the start. */
  readonly erasures: number
  readonly at: DateTime.Utc
  readonly endedAt: DateTime.Utc
  readonly outcome: WebhookOutcome
}

/** Builds the common parts of all requests to a subscription: signing secrets and additional headers. */
export const buildRequestTarget = Effect.fnUntraced(function* ({ secrets, subscription }: StoredWebhookSubscription) {
  const headers = yield* openHeaders(subscription, secrets)
  return {
    url: subscription.url,
    secrets: yield* openLiveSecrets(subscription.id, secrets),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Redacted.make(value)]))
  }
})

/** Makes one attempt with a body from current data. */
export const postDelivery = Effect.fnUntraced(function* (
  to: StoredWebhookSubscription,
  kept: StoredWebhookDelivery,
  content: LoggedEvent | WebhookCall,
  trigger: AttemptTrigger
) {
  const { delivery } = kept
  const body =
    "event" in content
      ? yield* composeEvent(to.subscription, delivery.id, content)
      : yield* composeCall(to.subscription, kept, content)
  const target = yield* buildRequestTarget(to)
  const at = yield* DateTime.now
  const outcome = yield* (yield* WebhookSender).post({
    ...target,
    id: delivery.id,
    at,
    attempt: delivery.attempts + 1,
    body
  })
  return { kept, trigger, erasures: to.erasures, at, endedAt: yield* DateTime.now, outcome } satisfies PostedDelivery
})
