import { DateTime, Duration, Effect } from "effect"
import { Organizations } from "../../../platform/identity/index.ts"
import { asSystem } from "../../../kernel/index.ts"
import { type LaneLease, laneWork } from "../../../platform/background/index.ts"
import { WebhookSubscriptionId } from "../Ids.ts"
import { isInPlan } from "../isInPlan.ts"
import { deliveryLife } from "../retries.ts"
import { webhooksWork } from "../subscriptionLane.ts"
import { WebhookDeliveries } from "../WebhookDeliveries.ts"
import { WebhookSubscriptions } from "../WebhookSubscriptions.ts"
import { workSubscription } from "./workSubscription.ts"

/** Receivers mostly are waited for, so there is room for many: a slow one keeps no other waiting. */
const receiversAtOnce = 256

/** When to look again whether a suspended organization is active, or a plan has what it lacks. */
const whileSuspended = Duration.minutes(10)

const inName = asSystem("webhooks")

const nextDue = Effect.fnUntraced(function* ({ key }: LaneLease) {
  const id = WebhookSubscriptionId.make(key)
  const kept = yield* (yield* WebhookSubscriptions).find(id)
  if (kept === null) return null
  const deliveries = yield* WebhookDeliveries
  const now = yield* DateTime.now
  const [wanted] = yield* deliveries.wanted(id, 1)
  const { health, subscription } = kept
  const due = wanted === undefined ? yield* deliveries.nextDue(id, subscription.ordering) : now
  if (due === null) return null
  const organization = yield* (yield* Organizations).current()
  if (organization.status !== "active" || !(yield* isInPlan(kept))) return DateTime.addDuration(now, whileSuspended)
  if (wanted !== undefined || subscription.status === "disabled") return now
  if (health.circuit === "closed" || health.probeAt === null) return due
  const { at } = yield* deliveries.oldest(id)
  const probe = DateTime.max(health.probeAt, due)
  // What is exactly as old as that has not waited for too long yet.
  return at === null
    ? probe
    : DateTime.min(probe, DateTime.add(DateTime.addDuration(at, deliveryLife), { milliseconds: 1 }))
})

/** Each subscription is posted to by one process at a time. */
export const webhookLanes = laneWork({
  name: webhooksWork,
  concurrency: receiversAtOnce,
  run: (lease, turn) => inName(lease.organizationId)(workSubscription(lease, turn)),
  nextDue: (lease) => inName(lease.organizationId)(nextDue(lease))
})
