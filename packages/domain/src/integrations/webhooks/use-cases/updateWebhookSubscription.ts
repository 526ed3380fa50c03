import { Effect } from "effect"
import { record } from "../../../platform/audit/index.ts"
import { originOf, requireVersion, transact, useCase } from "../../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { requireReachOfCalls } from "../callReach.ts"
import { changedHeaders } from "../changedHeaders.ts"
import { checkAddress, checkWritten, frozenPermissions } from "../checks.ts"
import type { WebhookSubscriptionId } from "../Ids.ts"
import { openHeaders, sealHeaders } from "../secrets.ts"
import { wakeMaker } from "../makerOfDeliveries.ts"
import { changesBetween } from "../shown.ts"
import { WebhookSubscription, type WebhookSubscriptionPatch } from "../WebhookSubscription.ts"
import { lockOwn } from "../ownSubscription.ts"
import { WebhookSubscriptions } from "../WebhookSubscriptions.ts"

const change = Effect.fnUntraced(function* (
  id: WebhookSubscriptionId,
  patch: WebhookSubscriptionPatch,
  expectedVersion: number | null
) {
  const subscriptions = yield* WebhookSubscriptions
  const { secrets, subscription: before } = yield* lockOwn(id)
  yield* requireVersion(before, expectedVersion)
  const { headers: said, ...fields } = patch
  const patched = { ...before, ...fields }
  const named = said === undefined ? Object.keys(before.headers) : Object.keys(said)
  // Who only renames it need not be allowed to see what is delivered.
  const decides = Object.keys(patch).some((field) => field !== "name")
  if (decides) {
    yield* checkWritten({ url: patched.url, events: patched.events, filter: patched.filter, headers: named })
  }
  if (patched.url !== before.url) yield* requireReachOfCalls(before)
  const isMoved = originOf(patched.url) !== originOf(before.url)
  const stored = isMoved ? null : said === undefined ? {} : yield* openHeaders(before, secrets)
  const headers = yield* changedHeaders(stored, named, said)
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
  if (patch.events !== undefined) yield* wakeMaker
  yield* record("webhook_subscription.updated", { kind: "webhook_subscription", id }, values)
  const told = Array.from(new Set([...changed, ...(headers === null ? [] : ["headers"])]))
  yield* appendEvent({ type: "webhook_subscription.updated", webhookSubscriptionId: id, fields: told })
  return saved
}, transact)

/**
 * Changes a subscription. Whoever changes more than its name answers for what is delivered: it is bounded by what they may see
 * from then on.
 */
export const updateWebhookSubscription = useCase(
  "webhookSubscriptions.update",
  { access: { permission: "webhook_subscriptions.manage" }, actsThrough: "webhook_subscription" },
  Effect.fnUntraced(function* (
    id: WebhookSubscriptionId,
    patch: WebhookSubscriptionPatch,
    expectedVersion: number | null
  ) {
    const before = yield* (yield* WebhookSubscriptions).get(id)
    if (patch.url !== undefined && patch.url !== before.url) yield* checkAddress(patch.url)
    return yield* change(id, patch, expectedVersion)
  })
)
