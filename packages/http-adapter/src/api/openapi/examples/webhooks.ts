import {
  createWebhookSubscription,
  deleteWebhookSubscription,
  disableWebhookSubscription,
  enableWebhookSubscription,
  getWebhookDelivery,
  getWebhookSubscription,
  Job,
  JobId,
  listWebhookDeliveries,
  listWebhookSubscriptions,
  receiveAccountDelivery,
  receiveChatDelivery,
  receiveStoreDelivery,
  redeliverWebhook,
  replayWebhookEvents,
  RotatedSecret,
  rotateWebhookSecret,
  testWebhookSubscription,
  updateWebhookSubscription,
  verifyChatWebhook,
  WebhookAttempt,
  WebhookDelivery,
  WebhookDeliveryId,
  WebhookDeliveryLog,
  CreatedWebhookSubscription,
  WebhookSubscription,
  WebhookSubscriptionId
} from "@parley/domain"
import { Stream } from "effect"
import type { ChatWebhooksApi } from "../../chatWebhooks.ts"
import type { StoreWebhooksApi } from "../../storeWebhooks.ts"
import type { WebhookSubscriptionsApi } from "../../webhookSubscriptions.ts"
import type { ExamplesOf } from "./Example.ts"
import { ada, at, pageOf, secret } from "./samples.ts"

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
  error: null
})

const later = { version: webhookSubscription.version + 1 }

const signing = secret("whsec_pT8oJ0Zb1l8wqVn1y0d3m5q7u9x2a4c6e8g0i2k4m6s=")

export const webhookSubscriptions: ExamplesOf<typeof WebhookSubscriptionsApi> = {
  list: { runs: listWebhookSubscriptions, answer: pageOf(webhookSubscription) },
  create: {
    runs: createWebhookSubscription,
    request: { name, url, events, headers: { "x-team": "orders" } },
    answer: new CreatedWebhookSubscription({ ...webhookSubscription, lastSuccessAt: null, secret: signing })
  },
  get: { runs: getWebhookSubscription, answer: webhookSubscription },
  update: {
    runs: updateWebhookSubscription,
    request: { payload: "full", ordering: "subject" },
    answer: new WebhookSubscription({ ...webhookSubscription, ...later, payload: "full", ordering: "subject" })
  },
  delete: { runs: deleteWebhookSubscription },
  enable: { runs: enableWebhookSubscription, answer: new WebhookSubscription({ ...webhookSubscription, ...later }) },
  disable: {
    runs: disableWebhookSubscription,
    answer: new WebhookSubscription({
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
    answer: new WebhookAttempt({ ...attempt, trigger: "test" })
  },
  rotateSecret: {
    runs: rotateWebhookSecret,
    request: { overlapSeconds: 86_400 },
    answer: new RotatedSecret({ secret: signing, previousSecretExpiresAt: at("10:15:00.000") })
  },
  listDeliveries: { runs: listWebhookDeliveries, answer: pageOf(delivery) },
  getDelivery: { runs: getWebhookDelivery, answer: new WebhookDeliveryLog({ ...delivery, log: [attempt] }) },
  redeliver: { runs: redeliverWebhook, answer: delivery },
  replay: {
    runs: replayWebhookEvents,
    request: { after: 42 },
    answer: new Job({
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
}

const verify = { runs: verifyChatWebhook, answer: "1158201444" }
const receiveForAccount = { runs: receiveAccountDelivery, request: Stream.empty }
const receive = { runs: receiveChatDelivery, request: Stream.empty }

export const chatWebhooks: ExamplesOf<typeof ChatWebhooksApi> = {
  verifyPlatform: verify,
  receivePlatform: receive,
  verifyOwn: verify,
  receiveOwn: receive,
  receiveForAccount: receiveForAccount,
  receiveForAccountUnderPrefix: receiveForAccount,
  verifyPlatformUnderPrefix: verify,
  receivePlatformUnderPrefix: receive,
  verifyOwnUnderPrefix: verify,
  receiveOwnUnderPrefix: receive
}

const storeWebhooksReceive = { runs: receiveStoreDelivery, request: Stream.empty }

export const storeWebhooks: ExamplesOf<typeof StoreWebhooksApi> = {
  receive: storeWebhooksReceive,
  receiveAnywhere: storeWebhooksReceive,
  receiveUnderPrefix: storeWebhooksReceive,
  receiveAnywhereUnderPrefix: storeWebhooksReceive
}
