import { Effect } from "effect"
import { requireReach, requireVersion, transact, useCase } from "../../../kernel/index.ts"
import { recordAudit } from "../../../platform/audit/index.ts"
import { EventLog } from "../../../platform/events/index.ts"
import { type SecretRotation, WebhookSubscription, type WebhookSubscriptionId } from "../WebhookSubscription.ts"
import { lockUserSubscription, requireReachOfDeliveries, WebhookSubscriptions } from "../WebhookSubscriptions.ts"
import { newHealth } from "../deliveryRetries.ts"
import { appendEvent } from "../events.ts"
import { renewSecret, reencryptSubscriptionSecrets } from "../signingSecrets.ts"
import { disableSubscription, wakeFanOut } from "../subscriptionLanes.ts"
import { allWebhookSubscriptions } from "../subscriptionListing.ts"

/** Enables deliveries from the next event on. Missed events can be replayed from `disabledAtPosition`, which stays. */
export const enableWebhookSubscription = useCase(
  {
    name: "webhookSubscriptions.enable",
    access: { permission: "webhook_subscriptions.manage" },
    actsThrough: "webhook_subscription",
    audit: "webhook_subscription.enabled",
    emits: ["webhook_subscription.enabled"]
  },
  Effect.fnUntraced(function* ({
    id,
    ifVersion
  }: {
    readonly id: WebhookSubscriptionId
    readonly ifVersion: number | null
  }) {
    const subscriptions = yield* WebhookSubscriptions
    const { health, subscription: before } = yield* lockUserSubscription(id)
    yield* requireVersion(before, ifVersion)
    yield* requireReach(before.permissions)
    if (before.status === "enabled") return before
    const startsAfter = yield* (yield* EventLog).head()
    yield* subscriptions.keep(id, { startsAfter, health: { ...newHealth, lastSuccessAt: health.lastSuccessAt } })
    const after = new WebhookSubscription({ ...before, status: "enabled", disabledReason: null, circuit: "closed" })
    const saved = yield* subscriptions.save(after, ifVersion)
    yield* wakeFanOut
    yield* recordAudit(
      "webhook_subscription.enabled",
      { kind: "webhook_subscription", id },
      { before: { status: "disabled", disabledReason: before.disabledReason }, after: { status: "enabled" } }
    )
    yield* appendEvent({ type: "webhook_subscription.enabled", webhookSubscriptionId: id })
    return saved
  }, transact)
)

/** Disables the subscription and discards pending deliveries. They can be replayed after the subscription is enabled again. */
export const disableWebhookSubscription = useCase(
  {
    name: "webhookSubscriptions.disable",
    access: { permission: "webhook_subscriptions.manage" },
    actsThrough: "nothing",
    audit: "webhook_subscription.disabled",
    emits: ["webhook_subscription.disabled"]
  },
  Effect.fnUntraced(function* ({
    id,
    ifVersion
  }: {
    readonly id: WebhookSubscriptionId
    readonly ifVersion: number | null
  }) {
    const { subscription: before } = yield* lockUserSubscription(id)
    yield* requireVersion(before, ifVersion)
    return before.status === "disabled" ? before : yield* disableSubscription(before, "manual")
  }, transact)
)

const defaultOverlapSeconds = 86_400

/**
 * Creates a new secret and shows it once. The former one also signs for a while, so receivers can switch. The secret authenticates everything that is
 * posted to the subscription.
 */
export const rotateWebhookSecret = useCase(
  {
    name: "webhookSubscriptions.rotateSecret",
    access: { permission: "webhook_subscriptions.manage" },
    actsThrough: "webhook_subscription",
    audit: "webhook_subscription.secret_rotated",
    emits: ["webhook_subscription.secret_rotated"]
  },
  Effect.fnUntraced(function* ({
    id,
    overlapSeconds = defaultOverlapSeconds
  }: { readonly id: WebhookSubscriptionId } & SecretRotation) {
    const kept = yield* lockUserSubscription(id)
    yield* requireReachOfDeliveries(kept.subscription)
    const rotated = yield* renewSecret(kept, overlapSeconds)
    yield* recordAudit("webhook_subscription.secret_rotated", { kind: "webhook_subscription", id })
    yield* appendEvent({ type: "webhook_subscription.secret_rotated", webhookSubscriptionId: id })
    return rotated
  }, transact)
)

const reencryptSubscription = Effect.fnUntraced(
  function* (id: WebhookSubscriptionId) {
    const subscriptions = yield* WebhookSubscriptions
    yield* subscriptions.keep(id, { secrets: yield* reencryptSubscriptionSecrets(yield* subscriptions.lock(id)) })
    yield* recordAudit("webhook_subscription.resealed", { kind: "webhook_subscription", id })
    return 1
  },
  transact,
  // The subscription was deleted concurrently.
  Effect.catchTag("NotFound", () => Effect.succeed(0))
)

const pageSize = 100

/** Seals the organization's webhook secrets with the newest master key. Returns the number of subscriptions. */
export const reencryptWebhookSecrets = useCase(
  { name: "webhookSubscriptions.reseal", access: "operator", audit: "webhook_subscription.resealed" },
  Effect.fnUntraced(function* () {
    const subscriptions = yield* WebhookSubscriptions
    let sealed = 0
    let after: ReadonlyArray<string> | null = null
    for (;;) {
      const page: ReadonlyArray<WebhookSubscription> = yield* subscriptions.list(allWebhookSubscriptions, {
        limit: pageSize,
        after
      })
      for (const { id } of page) sealed += yield* reencryptSubscription(id)
      const last = page.at(-1)
      if (last === undefined || page.length < pageSize) return sealed
      after = [last.id]
    }
  })
)
