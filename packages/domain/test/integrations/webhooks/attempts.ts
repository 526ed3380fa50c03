import {
  createWebhookSubscription,
  deleteWebhookSubscription,
  disableWebhookSubscription,
  enableWebhookSubscription,
  getWebhookDelivery,
  getWebhookSubscription,
  listEventTypes,
  listWebhookDeliveries,
  listWebhookSubscriptions,
  redeliverWebhook,
  replayWebhookEvents,
  reencryptWebhookSecrets,
  rotateWebhookSecret,
  testWebhookSubscription,
  updateWebhookSubscription,
  type WebhookSubscriptionId
} from "@parley/domain/integrations"
import { aSubscription, givenSubscription, givenWebhookDelivery } from "@parley/testkit"
import { Effect } from "effect"
import {
  asOwner,
  attempt,
  firstPage,
  type Prepare,
  reads,
  type Trace,
  type Values,
  type World
} from "../../attempting.ts"

const trace = (
  id: WebhookSubscriptionId,
  action: string,
  before: Values | null,
  after: Values | null,
  event: Trace["event"]
): Trace => ({ action, target: { kind: "webhook_subscription", id }, before, after, event })

const onlyTags = { ...aSubscription, events: ["tag.*"] }

/** Members who manage subscriptions also see tags. */
const given = ({ organization }: World) => givenSubscription(organization, onlyTags)

const audited: Values = {
  name: aSubscription.name,
  url: aSubscription.url,
  events: ["tag.*"],
  filter: "{}",
  payload: "thin",
  payloadVersion: "v1",
  ordering: "none",
  headers: [],
  permissions: ["contacts.read"]
}

const any = { state: null, type: null, from: null, to: null }

const delivered = (world: World) =>
  Effect.gen(function* () {
    const { id } = yield* given(world)
    return { id, delivery: yield* givenWebhookDelivery(world.organization, id) }
  })

/** A valid attempt at every use case of this area. */
export const attempts: Readonly<Record<string, Prepare>> = {
  "eventTypes.list": reads(() => listEventTypes()),
  "webhookSubscriptions.create": () =>
    Effect.succeed(
      attempt(createWebhookSubscription({ ...onlyTags, events: [], headers: { "x-team": "orders" } }), ({ id }) =>
        trace(
          id,
          "webhook_subscription.created",
          null,
          { ...audited, events: [], headers: ["x-team"], permissions: [] },
          { type: "webhook_subscription.created", webhookSubscriptionId: id }
        )
      )
    ),
  "webhookSubscriptions.get": (world) => Effect.map(given(world), ({ id }) => attempt(getWebhookSubscription({ id }))),
  "webhookSubscriptions.list": reads(() => listWebhookSubscriptions({ page: firstPage })),
  "webhookSubscriptions.update": (world) =>
    Effect.map(given(world), ({ id }) =>
      attempt(updateWebhookSubscription({ id, name: "Warehouse", ifVersion: 1 }), () =>
        trace(
          id,
          "webhook_subscription.updated",
          { name: "ERP" },
          { name: "Warehouse" },
          { type: "webhook_subscription.updated", webhookSubscriptionId: id, fields: ["name"] }
        )
      )
    ),
  "webhookSubscriptions.delete": (world) =>
    Effect.map(given(world), ({ id }) =>
      attempt(deleteWebhookSubscription({ id, ifVersion: 1 }), () =>
        trace(id, "webhook_subscription.deleted", audited, null, {
          type: "webhook_subscription.deleted",
          webhookSubscriptionId: id
        })
      )
    ),
  "webhookSubscriptions.disable": (world) =>
    Effect.map(given(world), ({ id }) =>
      attempt(disableWebhookSubscription({ id, ifVersion: 1 }), () =>
        trace(
          id,
          "webhook_subscription.disabled",
          { status: "enabled" },
          { status: "disabled", disabledReason: "manual" },
          { type: "webhook_subscription.disabled", webhookSubscriptionId: id, reason: "manual" }
        )
      )
    ),
  "webhookSubscriptions.enable": (world) =>
    Effect.gen(function* () {
      const { id } = yield* given(world)
      yield* asOwner(world, disableWebhookSubscription({ id, ifVersion: 1 }))
      return attempt(enableWebhookSubscription({ id, ifVersion: 2 }), () =>
        trace(
          id,
          "webhook_subscription.enabled",
          { status: "disabled", disabledReason: "manual" },
          { status: "enabled" },
          { type: "webhook_subscription.enabled", webhookSubscriptionId: id }
        )
      )
    }),
  "webhookSubscriptions.test": (world) =>
    Effect.map(given(world), ({ id }) =>
      attempt(testWebhookSubscription({ id }), () =>
        trace(id, "webhook_subscription.tested", null, { type: "webhook.test", status: 204, error: null }, null)
      )
    ),
  "webhookSubscriptions.rotateSecret": (world) =>
    Effect.map(given(world), ({ id }) =>
      attempt(rotateWebhookSecret({ id }), () =>
        trace(id, "webhook_subscription.secret_rotated", null, null, {
          type: "webhook_subscription.secret_rotated",
          webhookSubscriptionId: id
        })
      )
    ),
  "webhookSubscriptions.reseal": (world) =>
    Effect.map(given(world), ({ id }) =>
      attempt(reencryptWebhookSecrets(), () => trace(id, "webhook_subscription.resealed", null, null, null))
    ),
  "webhookSubscriptions.listDeliveries": (world) =>
    Effect.map(given(world), ({ id }) => attempt(listWebhookDeliveries({ id, ...any, page: firstPage }))),
  "webhookSubscriptions.getDelivery": (world) =>
    Effect.map(delivered(world), ({ delivery, id }) => attempt(getWebhookDelivery({ id, deliveryId: delivery.id }))),
  "webhookSubscriptions.redeliver": (world) =>
    Effect.map(delivered(world), ({ delivery, id }) =>
      attempt(redeliverWebhook({ id, deliveryId: delivery.id }), () =>
        trace(id, "webhook_subscription.redelivered", null, { deliveryId: delivery.id }, null)
      )
    ),
  "webhookSubscriptions.replay": (world) =>
    Effect.map(given(world), ({ id }) =>
      attempt(replayWebhookEvents({ id, after: 0 }), (job) =>
        trace(
          id,
          "webhook_subscription.replayed",
          null,
          { jobId: job.id, only: "undelivered" },
          { type: "job.started", jobId: job.id, kind: "webhook_subscriptions.replay" }
        )
      )
    )
}
