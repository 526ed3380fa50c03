import { Job, JobId } from "@parley/domain/platform"
import {
  CreatedWebhookSubscription,
  createWebhookSubscription,
  deleteWebhookSubscription,
  disableWebhookSubscription,
  enableWebhookSubscription,
  getWebhookDelivery,
  getWebhookSubscription,
  listWebhookDeliveries,
  listWebhookSubscriptions,
  redeliverWebhook,
  replayWebhookEvents,
  RotatedSecret,
  rotateWebhookSecret,
  testWebhookSubscription,
  updateWebhookSubscription,
  WebhookAttempt,
  WebhookDelivery,
  WebhookDeliveryId,
  WebhookDeliveryLog,
  WebhookSubscription,
  WebhookSubscriptionId
} from "@parley/domain/integrations"
import { WebhookSubscriptionsApi } from "../../../api/webhookSubscriptions.ts"
import { ada, at, samplePage, secret } from "../../examples/samples.ts"
import { bind } from "../bind.ts"

const webhookSubscription = new WebhookSubscription({
  id: WebhookSubscriptionId.make("01934b90-1c2d-7e3f-8a4b-5c6d7e8f9012"),
  name: "ERP",
  url: "https://erp.bluebakery.example/hooks/parley",
  events: ["message.received", "order.*"],
  filter: {},
  payload: "thin",
  payloadVersion: "v1",
  ordering: "none",
  headers: { "x-team": null },
  permissions: ["commerce.read", "conversations.read"],
  status: "enabled",
  disabledReason: null,
  circuit: "closed",
  lastSuccessAt: at("10:15:00.000"),
  disabledAtPosition: null,
  version: 1
})

const { events, name, url } = webhookSubscription

const delivery = new WebhookDelivery({
  id: WebhookDeliveryId.make("9f2c1b7a-3d4e-5f60-8a1b-2c3d4e5f6071"),
  type: "message.received",
  position: 42,
  state: "delivered",
  attempts: 1,
  nextAttemptAt: null,
  deliveredAt: at("10:15:00.000")
})

const attempt = new WebhookAttempt({
  number: 1,
  at: at("10:15:00.000"),
  trigger: "scheduled",
  durationMs: 84,
  status: 204,
  error: null,
  request: {
    headers: {
      "content-type": "application/json",
      "parley-attempt": "1",
      "user-agent": "Parley-Webhooks/1",
      "webhook-id": delivery.id,
      "webhook-signature": "[redacted]",
      "webhook-timestamp": "1795515300",
      "x-team": "[redacted]"
    },
    bodySha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    bodyBytes: 412
  },
  response: { headers: { server: "nginx" }, body: "" }
})

const later = { version: webhookSubscription.version + 1 }

const signing = secret("whsec_pT8oJ0Zb1l8wqVn1y0d3m5q7u9x2a4c6e8g0i2k4m6s=")

export const webhookSubscriptions = bind(WebhookSubscriptionsApi, {
  list: { runs: listWebhookSubscriptions, response: samplePage(webhookSubscription) },
  create: {
    runs: createWebhookSubscription,
    request: { name, url, events, headers: { "x-team": "orders" } },
    response: new CreatedWebhookSubscription({ ...webhookSubscription, lastSuccessAt: null, secret: signing })
  },
  get: { runs: getWebhookSubscription, response: webhookSubscription },
  update: {
    runs: updateWebhookSubscription,
    request: { payload: "full", ordering: "subject" },
    response: new WebhookSubscription({ ...webhookSubscription, ...later, payload: "full", ordering: "subject" })
  },
  delete: { runs: deleteWebhookSubscription },
  enable: { runs: enableWebhookSubscription, response: new WebhookSubscription({ ...webhookSubscription, ...later }) },
  disable: {
    runs: disableWebhookSubscription,
    response: new WebhookSubscription({
      ...webhookSubscription,
      ...later,
      status: "disabled",
      disabledReason: "manual",
      disabledAtPosition: 42
    })
  },
  test: {
    runs: testWebhookSubscription,
    request: { type: "message.received" },
    response: new WebhookAttempt({ ...attempt, trigger: "test" })
  },
  rotateSecret: {
    runs: rotateWebhookSecret,
    request: { overlapSeconds: 86_400 },
    response: new RotatedSecret({ secret: signing, previousSecretExpiresAt: at("10:15:00.000") })
  },
  listDeliveries: { runs: listWebhookDeliveries, response: samplePage(delivery) },
  getDelivery: { runs: getWebhookDelivery, response: new WebhookDeliveryLog({ ...delivery, log: [attempt] }) },
  redeliver: { runs: redeliverWebhook, response: delivery },
  replay: {
    runs: replayWebhookEvents,
    request: { after: 42 },
    response: new Job({
      id: JobId.make("01934b91-2d3e-7f40-9b5c-6d7e8f901234"),
      kind: "webhook_subscriptions.replay",
      state: "queued",
      progress: { done: 0, total: null },
      counts: {},
      error: null,
      errorCode: null,
      resultUrl: null,
      cancelRequested: false,
      createdBy: { kind: "user", id: ada.id },
      createdAt: at("10:20:00.000"),
      startedAt: null,
      finishedAt: null,
      updatedAt: at("10:20:00.000")
    })
  }
})
