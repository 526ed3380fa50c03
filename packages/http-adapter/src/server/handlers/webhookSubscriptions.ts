import {
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
  rotateWebhookSecret,
  testWebhookSubscription,
  updateWebhookSubscription
} from "@parley/domain"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { expectedVersion, pageOf } from "../../api/shapes.ts"
import { withAnswerWriters } from "../answers/answerWriters.ts"

export const layerWebhookSubscriptions = HttpApiBuilder.group(Api, "webhookSubscriptions", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    list: ({ query }) => listWebhookSubscriptions(pageOf(query)),
    create: ({ payload }) => createWebhookSubscription(payload),
    get: ({ params }) => getWebhookSubscription(params.id),
    update: ({ headers, params, payload }) => updateWebhookSubscription(params.id, payload, expectedVersion(headers)),
    delete: ({ headers, params }) => deleteWebhookSubscription(params.id, expectedVersion(headers)),
    enable: ({ headers, params }) => enableWebhookSubscription(params.id, expectedVersion(headers)),
    disable: ({ headers, params }) => disableWebhookSubscription(params.id, expectedVersion(headers)),
    test: ({ params, payload }) => testWebhookSubscription(params.id, payload),
    rotateSecret: ({ params, payload }) => rotateWebhookSecret(params.id, payload),
    listDeliveries: ({ params, query: { from, state, to, type, ...page } }) =>
      listWebhookDeliveries(
        params.id,
        { state: state ?? null, type: type ?? null, from: from ?? null, to: to ?? null },
        pageOf(page)
      ),
    getDelivery: ({ params }) => getWebhookDelivery(params.id, params.deliveryId),
    redeliver: ({ params }) => redeliverWebhook(params.id, params.deliveryId),
    replay: ({ params, payload }) => replayWebhookEvents(params.id, payload)
  })
)
