import {
  createWebhookSubscription,
  type CurrentActor,
  type CurrentOrganization,
  deleteWebhookSubscription,
  disableWebhookSubscription,
  enableWebhookSubscription,
  getWebhookDelivery,
  getWebhookSubscription,
  listEvents,
  listEventTypes,
  listWebhookDeliveries,
  listWebhookSubscriptions,
  type Ports,
  redeliverWebhook,
  replayWebhookEvents,
  rotateWebhookSecret,
  testWebhookSubscription,
  updateWebhookSubscription
} from "@parley/domain"
import { Effect } from "effect"
import type { Calls } from "./Tenant.ts"

type Inside = Ports | CurrentActor | CurrentOrganization

/** How a use case is run where there is no service between. */
export type Here = <A, E>(effect: Effect.Effect<A, E, Inside>) => Effect.Effect<A, E>

/** The page as use cases ask for it. */
export const pageOf = ({ cursor, limit }: { readonly cursor?: string; readonly limit?: number }) => ({
  limit: limit ?? 25,
  cursor: cursor ?? null
})

/** The calls about events and webhook subscriptions as the use cases behind them. */
export const webhooksOnDatabase = (here: Here): Pick<Calls, "events" | "webhookSubscriptions"> => ({
  events: {
    list: ({ query = {} } = {}) =>
      here(
        Effect.map(
          listEvents(
            {
              ...(query.type !== undefined && { types: query.type }),
              ...(query.since !== undefined && { since: query.since })
            },
            { limit: query.limit ?? 25, cursor: query.after ?? null }
          ),
          ({ data, nextCursor }) => ({ data: data.map(({ cursor, event }) => ({ ...event, cursor })), nextCursor })
        )
      ),
    listTypes: () => here(listEventTypes())
  },
  webhookSubscriptions: {
    list: ({ query = {} } = {}) => here(listWebhookSubscriptions(pageOf(query))),
    get: ({ params }) => here(getWebhookSubscription(params.id)),
    create: ({ payload }) => here(createWebhookSubscription(payload)),
    update: ({ headers = {}, params, payload = {} }) =>
      here(updateWebhookSubscription(params.id, payload, headers["if-match"] ?? null)),
    delete: ({ headers = {}, params }) => here(deleteWebhookSubscription(params.id, headers["if-match"] ?? null)),
    enable: ({ headers = {}, params }) => here(enableWebhookSubscription(params.id, headers["if-match"] ?? null)),
    disable: ({ headers = {}, params }) => here(disableWebhookSubscription(params.id, headers["if-match"] ?? null)),
    test: ({ params, payload = {} }) => here(testWebhookSubscription(params.id, payload)),
    rotateSecret: ({ params, payload = {} }) => here(rotateWebhookSecret(params.id, payload)),
    listDeliveries: ({ params, query = {} }) =>
      here(
        listWebhookDeliveries(
          params.id,
          { state: query.state ?? null, type: query.type ?? null, from: query.from ?? null, to: query.to ?? null },
          pageOf(query)
        )
      ),
    getDelivery: ({ params }) => here(getWebhookDelivery(params.id, params.deliveryId)),
    redeliver: ({ params }) => here(redeliverWebhook(params.id, params.deliveryId)),
    replay: ({ params, payload = {} }) => here(replayWebhookEvents(params.id, payload))
  }
})
