import { DateTime, Effect } from "effect"
import {
  canView,
  CurrentActor,
  invalid,
  CurrentOrganization,
  type ValidationIssue,
  nextId,
  NotFound,
  type PageRequest,
  PermissionDenied,
  toActorRef,
  requireReach,
  transact,
  useCase,
  ValidationFailed
} from "../../../kernel/index.ts"
import { recordAudit } from "../../../platform/audit/index.ts"
import { EventLog, EventTypes, positionBefore } from "../../../platform/events/index.ts"
import { startJob } from "../../../platform/jobs/index.ts"
import { matchingTypes } from "../EventFilter.ts"
import { pageOfDeliveries, WebhookDeliveries, type WebhookDeliveryRequest } from "../WebhookDeliveries.ts"
import { testType } from "../deliveryOnlyTypes.ts"
import { callType, WebhookAttempt, WebhookDeliveryLog, type WebhookTest } from "../WebhookDelivery.ts"
import { WebhookSender } from "../WebhookSender.ts"
import { WebhookDeliveryId, type WebhookSubscriptionId } from "../WebhookSubscription.ts"
import {
  callPermissions,
  requireReachOfDeliveries,
  type StoredWebhookSubscription,
  WebhookSubscriptions
} from "../WebhookSubscriptions.ts"
import { WebhookSubscriptionDisabled } from "../errors.ts"
import { replayJob, type ReplayRequest } from "../eventReplay.ts"
import { deliveryRetention } from "../sending/deliveryLanes.ts"
import { buildRequestTarget, encodeWebhookBody } from "../sending/webhookRequests.ts"
import { unknownEventIssue } from "../subscriptionChecks.ts"
import { closeCircuit, scheduleSubscriptionLane } from "../subscriptionLanes.ts"

const maxAttempts = 100

export const getWebhookDelivery = useCase(
  { name: "webhookSubscriptions.getDelivery", access: { permission: "webhook_subscriptions.read" } },
  Effect.fnUntraced(function* ({
    id: subscriptionId,
    deliveryId
  }: {
    readonly id: WebhookSubscriptionId
    readonly deliveryId: WebhookDeliveryId
  }) {
    const { permissions } = yield* (yield* WebhookSubscriptions).get(subscriptionId)
    const deliveries = yield* WebhookDeliveries
    const delivery = yield* deliveries.get(subscriptionId, deliveryId)
    const log = yield* deliveries.attempts(deliveryId, maxAttempts)
    // The digest and the size of a request reveal its content, and a receiver can answer with everything that it was sent.
    const sent = delivery.type === callType ? callPermissions : permissions
    const actor = yield* CurrentActor
    const isVisible = sent.every((permission) => canView(actor, permission))
    return new WebhookDeliveryLog({
      ...delivery,
      log: isVisible ? log : log.map((attempt) => new WebhookAttempt({ ...attempt, request: null, response: null }))
    })
  })
)

/** Lists deliveries of a subscription, pending or from the last thirty days, latest first. */
export const listWebhookDeliveries = useCase(
  { name: "webhookSubscriptions.listDeliveries", access: { permission: "webhook_subscriptions.read" } },
  Effect.fnUntraced(function* ({
    id,
    page,
    ...filter
  }: { readonly id: WebhookSubscriptionId; readonly page: PageRequest } & WebhookDeliveryRequest) {
    yield* (yield* WebhookSubscriptions).get(id)
    return yield* pageOfDeliveries(id, filter, page)
  })
)

/** Requests one immediate attempt, in any state of the delivery and the circuit. The subscription's permissions still apply. */
export const redeliverWebhook = useCase(
  {
    name: "webhookSubscriptions.redeliver",
    access: { permission: "webhook_subscriptions.manage" },
    actsThrough: "webhook_subscription",
    audit: "webhook_subscription.redelivered"
  },
  Effect.fnUntraced(function* ({
    id: subscriptionId,
    deliveryId
  }: {
    readonly id: WebhookSubscriptionId
    readonly deliveryId: WebhookDeliveryId
  }) {
    const { permissions } = yield* (yield* WebhookSubscriptions).get(subscriptionId)
    const delivery = yield* (yield* WebhookDeliveries).want(subscriptionId, deliveryId)
    // A member with fewer permissions may have changed the subscription since the delivery was created.
    const asked = (yield* EventTypes).get(delivery.type)?.permission
    if (asked !== undefined && !permissions.includes(asked)) return yield* new PermissionDenied({ permission: asked })
    yield* requireReach(delivery.type === callType ? [...permissions, ...callPermissions] : permissions)
    yield* scheduleSubscriptionLane(subscriptionId, "person")
    yield* recordAudit(
      "webhook_subscription.redelivered",
      { kind: "webhook_subscription", id: subscriptionId },
      { after: { deliveryId } }
    )
    return delivery
  }, transact)
)

/** Delivers events again, or missed events for the first time, in a job. */
export const replayWebhookEvents = useCase(
  {
    name: "webhookSubscriptions.replay",
    access: { permission: "webhook_subscriptions.manage" },
    actsThrough: "webhook_subscription",
    audit: "webhook_subscription.replayed",
    emits: ["job.started"]
  },
  Effect.fnUntraced(function* ({ id, ...request }: { readonly id: WebhookSubscriptionId } & ReplayRequest) {
    const subscription = yield* (yield* WebhookSubscriptions).get(id)
    const { after, only = "undelivered", since, types = null, until } = request
    if ((after === undefined) === (since === undefined))
      return yield* invalid("", "Expected exactly one of: since, after")
    const now = yield* DateTime.now
    const earliest = DateTime.subtractDuration(now, deliveryRetention)
    const eventTypes = yield* EventTypes
    const known = eventTypes.keys().toArray()
    const errors: ReadonlyArray<ValidationIssue> = [
      ...(since !== undefined && DateTime.isLessThan(since, earliest)
        ? [{ pointer: "/since", message: "Expected a time of the last 30 days" }]
        : []),
      ...(since !== undefined && until !== undefined && !DateTime.isLessThan(since, until)
        ? [{ pointer: "/until", message: "Expected a time after since" }]
        : []),
      ...(types ?? []).flatMap((pattern, index) =>
        matchingTypes(known, [pattern]).length > 0 ? [] : [unknownEventIssue(`/types/${index}`, pattern, eventTypes)]
      )
    ]
    if (errors.length > 0) return yield* new ValidationFailed({ errors })
    yield* requireReach(subscription.permissions)
    if (subscription.status === "disabled") return yield* new WebhookSubscriptionDisabled()
    const job = yield* startJob(replayJob, {
      webhookSubscriptionId: id,
      after: after ?? (since === undefined ? 0 : yield* positionBefore(since)),
      since: since ?? earliest,
      until: until ?? null,
      upTo: yield* (yield* EventLog).head(),
      only,
      types: types === null ? null : matchingTypes(known, types)
    })
    yield* recordAudit(
      "webhook_subscription.replayed",
      { kind: "webhook_subscription", id },
      { after: { jobId: job.id, only } }
    )
    return job
  }, transact)
)

/** Closes the circuit after the receiver accepts a test, unless the subscription has changed during the test. */
const closeAfter = Effect.fnUntraced(
  function* ({ subscription: { id, version } }: StoredWebhookSubscription) {
    const kept = yield* (yield* WebhookSubscriptions).lock(id)
    if (kept.subscription.version === version) yield* closeCircuit(kept)
  },
  Effect.catchTag("NotFound", () => Effect.void)
)

/**
 * Posts an example once and returns the attempt. A test is not a delivery: it is not retried or counted. A success closes the circuit, which resumes
 * the pending deliveries.
 */
export const testWebhookSubscription = useCase(
  {
    name: "webhookSubscriptions.test",
    access: { permission: "webhook_subscriptions.manage" },
    actsThrough: "webhook_subscription",
    audit: "webhook_subscription.tested"
  },
  Effect.fnUntraced(function* ({ id, type = testType }: { readonly id: WebhookSubscriptionId } & WebhookTest) {
    const kept = yield* (yield* WebhookSubscriptions).find(id)
    if (kept === null || kept.feature !== null) return yield* new NotFound({ resource: "webhook subscription" })
    yield* requireReachOfDeliveries(kept.subscription)
    const eventTypes = yield* EventTypes
    const example = eventTypes.get(type)?.example
    if (example === undefined && type !== testType) {
      return yield* new ValidationFailed({ errors: [unknownEventIssue("/type", type, eventTypes)] })
    }
    const at = yield* DateTime.now
    const deliveryId = yield* nextId(WebhookDeliveryId)
    const body = encodeWebhookBody({
      type,
      timestamp: at,
      version: kept.subscription.payloadVersion,
      id: deliveryId,
      organizationId: (yield* CurrentOrganization).id,
      position: null,
      cursor: null,
      actor: toActorRef(yield* CurrentActor),
      causation: null,
      data: example ?? {},
      resource: null,
      test: true
    })
    const sender = yield* WebhookSender
    const { durationMs, error, request, response, status } = yield* sender.post({
      ...(yield* buildRequestTarget(kept)),
      id: deliveryId,
      at,
      attempt: 1,
      body
    })
    yield* transact(
      Effect.gen(function* () {
        if (error === null) yield* closeAfter(kept)
        const target = { kind: "webhook_subscription", id } as const
        yield* recordAudit("webhook_subscription.tested", target, { after: { type, status, error } })
      })
    )
    return new WebhookAttempt({ number: 1, at, trigger: "test", durationMs, status, error, request, response })
  })
)
