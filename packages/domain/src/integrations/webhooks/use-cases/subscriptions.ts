import { Effect } from "effect"
import {
  Dependents,
  Locks,
  nextId,
  originOf,
  paged,
  type PageRequest,
  requireVersion,
  transact,
  useCase,
  ValidationFailed
} from "../../../kernel/index.ts"
import { recordAudit } from "../../../platform/audit/index.ts"
import { withinLimit } from "../../../platform/entitlements/index.ts"
import { EventLog, EventTypes } from "../../../platform/events/index.ts"
import { publishedDeliveryTypes, toPublishedEventType, type PublishedEventTypes } from "../PublishedEventTypes.ts"
import {
  type NewWebhookSubscription,
  CreatedWebhookSubscription,
  WebhookSubscription,
  WebhookSubscriptionId,
  type WebhookSubscriptionPatch
} from "../WebhookSubscription.ts"
import {
  toSubscriptionAuditFields,
  changesBetween,
  lockUserSubscription,
  requireReachOfCalls,
  WebhookSubscriptions
} from "../WebhookSubscriptions.ts"
import { newHealth } from "../deliveryRetries.ts"
import { WebhookSubscriptionInUse } from "../errors.ts"
import { appendEvent } from "../events.ts"
import { mergeHeaders } from "../requestHeaders.ts"
import { newWebhookSecret, openHeaders, sealHeaders, sealSecret } from "../signingSecrets.ts"
import { checkAddress, checkSubscriptionInput, frozenPermissions, unknownEventIssue } from "../subscriptionChecks.ts"
import { wakeFanOut } from "../subscriptionLanes.ts"
import {
  allWebhookSubscriptions,
  webhookSubscriptionCursorKey,
  type WebhookSubscriptionQuery
} from "../subscriptionListing.ts"

const toLowerCaseNames = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

const add = Effect.fnUntraced(function* (input: NewWebhookSubscription) {
  const { events, filter = {}, headers = {}, name, url } = input
  const id = yield* nextId(WebhookSubscriptionId)
  const named = toLowerCaseNames(headers)
  const subscription = new WebhookSubscription({
    id,
    name,
    url,
    events,
    filter,
    payload: input.payload ?? "thin",
    payloadVersion: input.payloadVersion ?? "v1",
    ordering: input.ordering ?? "none",
    headers: Object.fromEntries(Object.keys(named).map((header) => [header, null])),
    permissions: yield* frozenPermissions(events, input.payload ?? "thin"),
    status: "enabled",
    disabledReason: null,
    circuit: "closed",
    lastSuccessAt: null,
    disabledAtPosition: null,
    version: 1
  })
  const secret = yield* newWebhookSecret
  const kept = {
    subscription,
    secrets: { secret: yield* sealSecret(id, secret), former: [], headers: yield* sealHeaders(subscription, named) },
    health: newHealth,
    startsAfter: yield* (yield* EventLog).head(),
    feature: null,
    erasures: 0
  }
  yield* (yield* WebhookSubscriptions).insert(kept).pipe(withinLimit("webhookSubscriptions"))
  yield* wakeFanOut
  yield* recordAudit(
    "webhook_subscription.created",
    { kind: "webhook_subscription", id },
    { after: toSubscriptionAuditFields(subscription) }
  )
  yield* appendEvent({ type: "webhook_subscription.created", webhookSubscriptionId: id })
  return new CreatedWebhookSubscription({ ...subscription, secret })
}, transact)

/** Creates a subscription for new events, and shows its secret once. */
export const createWebhookSubscription = useCase(
  {
    name: "webhookSubscriptions.create",
    access: { permission: "webhook_subscriptions.manage" },
    actsThrough: "nothing",
    audit: "webhook_subscription.created",
    emits: ["webhook_subscription.created"]
  },
  Effect.fnUntraced(function* (input: NewWebhookSubscription) {
    const { events, filter = {}, headers = {}, url } = input
    yield* checkSubscriptionInput({ url, events, filter, headers: Object.keys(headers) })
    yield* checkAddress(url)
    return yield* add(input)
  })
)

const change = Effect.fnUntraced(function* (
  id: WebhookSubscriptionId,
  patch: WebhookSubscriptionPatch,
  expectedVersion: number | null
) {
  const subscriptions = yield* WebhookSubscriptions
  const { secrets, subscription: before } = yield* lockUserSubscription(id)
  yield* requireVersion(before, expectedVersion)
  const { headers: input, ...fields } = patch
  const patched = { ...before, ...fields }
  const named = input === undefined ? Object.keys(before.headers) : Object.keys(input)
  // A rename does not require permissions for the delivered events.
  const decides = Object.keys(patch).some((field) => field !== "name")
  if (decides) {
    yield* checkSubscriptionInput({ url: patched.url, events: patched.events, filter: patched.filter, headers: named })
  }
  if (patched.url !== before.url) yield* requireReachOfCalls(before)
  const isMoved = originOf(patched.url) !== originOf(before.url)
  const stored = isMoved ? null : input === undefined ? {} : yield* openHeaders(before, secrets)
  const headers = yield* mergeHeaders(stored, named, input)
  const wanted = new WebhookSubscription({
    ...patched,
    headers:
      headers === null ? before.headers : Object.fromEntries(Object.keys(headers).map((header) => [header, null])),
    permissions: decides ? yield* frozenPermissions(patched.events, patched.payload) : before.permissions
  })
  const { fields: changed, ...values } = changesBetween(before, wanted)
  if (changed.length === 0 && headers === null) return before
  if (headers !== null)
    yield* subscriptions.keep(id, { secrets: { ...secrets, headers: yield* sealHeaders(wanted, headers) } })
  const saved = yield* subscriptions.save(wanted, expectedVersion)
  if (patch.events !== undefined) yield* wakeFanOut
  yield* recordAudit("webhook_subscription.updated", { kind: "webhook_subscription", id }, values)
  const changedFields = Array.from(new Set([...changed, ...(headers === null ? [] : ["headers"])]))
  yield* appendEvent({ type: "webhook_subscription.updated", webhookSubscriptionId: id, fields: changedFields })
  return saved
}, transact)

/** Changes a subscription. Each change beyond the name limits the deliveries to the actor's permissions from then on. */
export const updateWebhookSubscription = useCase(
  {
    name: "webhookSubscriptions.update",
    access: { permission: "webhook_subscriptions.manage" },
    actsThrough: "webhook_subscription",
    audit: "webhook_subscription.updated",
    emits: ["webhook_subscription.updated"]
  },
  Effect.fnUntraced(function* ({
    id,
    ifVersion,
    ...patch
  }: { readonly id: WebhookSubscriptionId; readonly ifVersion: number | null } & WebhookSubscriptionPatch) {
    const before = yield* (yield* WebhookSubscriptions).get(id)
    if (patch.url !== undefined && patch.url !== before.url) yield* checkAddress(patch.url)
    return yield* change(id, patch, ifVersion)
  })
)

/** Deletes a subscription with its secrets and discards pending deliveries. Fails if an automation or workflow calls it. */
export const deleteWebhookSubscription = useCase(
  {
    name: "webhookSubscriptions.delete",
    access: { permission: "webhook_subscriptions.manage" },
    actsThrough: "nothing",
    audit: "webhook_subscription.deleted",
    emits: ["webhook_subscription.deleted"]
  },
  Effect.fnUntraced(function* ({
    id,
    ifVersion
  }: {
    readonly id: WebhookSubscriptionId
    readonly ifVersion: number | null
  }) {
    const subscriptions = yield* WebhookSubscriptions
    yield* (yield* Locks).exclusive("webhook_subscriptions")
    const before = yield* subscriptions.get(id)
    const usedBy = yield* (yield* Dependents).find("webhook_subscription", id)
    if (usedBy.length > 0) return yield* new WebhookSubscriptionInUse({ usedBy })
    yield* subscriptions.remove(id, ifVersion)
    yield* recordAudit(
      "webhook_subscription.deleted",
      { kind: "webhook_subscription", id },
      { before: toSubscriptionAuditFields(before) }
    )
    yield* appendEvent({ type: "webhook_subscription.deleted", webhookSubscriptionId: id })
  }, transact)
)

export const getWebhookSubscription = useCase(
  { name: "webhookSubscriptions.get", access: { permission: "webhook_subscriptions.read" } },
  Effect.fnUntraced(function* ({ id }: { readonly id: WebhookSubscriptionId }) {
    return yield* (yield* WebhookSubscriptions).get(id)
  })
)

/** Lists webhook subscriptions in the requested order. */
export const listWebhookSubscriptions = useCase(
  { name: "webhookSubscriptions.list", access: { permission: "webhook_subscriptions.read" } },
  Effect.fnUntraced(function* ({
    page,
    ...request
  }: { readonly page: PageRequest } & Partial<WebhookSubscriptionQuery>) {
    const query = { ...allWebhookSubscriptions, ...request }
    const types = yield* EventTypes
    if (query.event !== null && !types.has(query.event)) {
      return yield* new ValidationFailed({ errors: [unknownEventIssue("/event", query.event, types)] })
    }
    const subscriptions = yield* WebhookSubscriptions
    return yield* paged(
      `webhook_subscriptions/${query.sort}`,
      page,
      (slice) => subscriptions.list(query, slice),
      (subscription) => webhookSubscriptionCursorKey(query.sort, subscription)
    )
  })
)

/** Lists all types of events and other deliveries with the schema and an example of a delivery. */
export const listEventTypes = useCase(
  { name: "eventTypes.list", access: { permission: "events.read" } },
  Effect.fnUntraced(function* () {
    const types = yield* EventTypes
    const data = [...Array.from(types.values(), toPublishedEventType), ...publishedDeliveryTypes]
    return { data } satisfies PublishedEventTypes
  })
)
