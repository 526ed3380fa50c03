import { Effect } from "effect"
import { record } from "../../../platform/audit/index.ts"
import { admitting } from "../../../platform/entitlements/index.ts"
import { EventLog } from "../../../platform/events/index.ts"
import { nextId, transact, useCase } from "../../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { checkAddress, checkWritten, frozenPermissions } from "../checks.ts"
import { newHealth } from "../health.ts"
import { WebhookSubscriptionId } from "../Ids.ts"
import { wakeMaker } from "../makerOfDeliveries.ts"
import { newWebhookSecret, sealHeaders, sealSecret } from "../secrets.ts"
import { audited } from "../shown.ts"
import { type NewWebhookSubscription, WebhookSubscribed, WebhookSubscription } from "../WebhookSubscription.ts"
import { WebhookSubscriptions } from "../WebhookSubscriptions.ts"

const lowered = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

const add = Effect.fnUntraced(function* (input: NewWebhookSubscription) {
  const { events, filter = {}, headers = {}, name, url } = input
  const id = yield* nextId(WebhookSubscriptionId)
  const named = lowered(headers)
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
    feature: null
  }
  yield* (yield* WebhookSubscriptions).insert(kept).pipe(admitting("webhookSubscriptions"))
  yield* wakeMaker
  yield* record("webhook_subscription.created", { kind: "webhook_subscription", id }, { after: audited(subscription) })
  yield* appendEvent({ type: "webhook_subscription.created", webhookSubscriptionId: id })
  return new WebhookSubscribed({ ...subscription, secret })
}, transact)

/** Has events posted to an address from now on, and shows once what they are signed with. */
export const createWebhookSubscription = useCase(
  "webhookSubscriptions.create",
  { access: { permission: "webhook_subscriptions.manage" }, actsThrough: "nothing" },
  Effect.fnUntraced(function* (input: NewWebhookSubscription) {
    const { events, filter = {}, headers = {}, url } = input
    yield* checkWritten({ url, events, filter, headers: Object.keys(headers) })
    yield* checkAddress(url)
    return yield* add(input)
  })
)
