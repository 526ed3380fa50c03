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
    list: ({ query }) => listWebhookSubscriptions({ page: pageOf(query) }),
    create: ({ payload }) => createWebhookSubscription(payload),
    get: ({ params }) => getWebhookSubscription(params),
    update: ({ headers, params, payload }) =>
      updateWebhookSubscription({ ...params, ...payload, ifVersion: expectedVersion(headers) }),
    delete: ({ headers, params }) => deleteWebhookSubscription({ ...params, ifVersion: expectedVersion(headers) }),
    enable: ({ headers, params }) => enableWebhookSubscription({ ...params, ifVersion: expectedVersion(headers) }),
    disable: ({ headers, params }) => disableWebhookSubscription({ ...params, ifVersion: expectedVersion(headers) }),
    test: ({ params, payload }) => testWebhookSubscription({ ...params, ...payload }),
    rotateSecret: ({ params, payload }) => rotateWebhookSecret({ ...params, ...payload }),
    listDeliveries: ({ params, query: { from, state, to, type, ...page } }) =>
      listWebhookDeliveries({
        ...params,
        state: state ?? null,
        type: type ?? null,
        from: from ?? null,
        to: to ?? null,
        page: pageOf(page)
      }),
    getDelivery: ({ params }) => getWebhookDelivery(params),
    redeliver: ({ params }) => redeliverWebhook(params),
    replay: ({ params, payload }) => replayWebhookEvents({ ...params, ...payload })
  })
)
