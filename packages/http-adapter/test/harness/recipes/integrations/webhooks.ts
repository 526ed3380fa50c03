import { givenSubscription, givenWebhookDelivery } from "@parley/testkit"
import { Effect } from "effect"
import { nothing, type Recipe } from "../../Recipe.ts"

const onSubscription =
  (body?: unknown): Recipe =>
  ({ tenant }) =>
    Effect.map(givenSubscription(tenant.organization), ({ id }) => ({ id, body }))

const onDelivery: Recipe = ({ tenant }) =>
  Effect.gen(function* () {
    const { id } = yield* givenSubscription(tenant.organization)
    const delivery = yield* givenWebhookDelivery(tenant.organization, id)
    return { id, params: { deliveryId: delivery.id } }
  })

/** A valid request for each endpoint of this area, with creation of the data that the request needs. */
export const recipes: Readonly<Record<string, Recipe>> = {
  "webhookSubscriptions.list": nothing,
  "webhookSubscriptions.create": () =>
    Effect.succeed({ body: { name: "ERP", url: "https://erp.example/hook", events: ["tag.*"] } }),
  "webhookSubscriptions.get": onSubscription(),
  "webhookSubscriptions.update": onSubscription({ name: "Warehouse" }),
  "webhookSubscriptions.delete": onSubscription(),
  "webhookSubscriptions.enable": onSubscription(),
  "webhookSubscriptions.disable": onSubscription(),
  "webhookSubscriptions.test": onSubscription({}),
  "webhookSubscriptions.rotateSecret": onSubscription({ overlapSeconds: 60 }),
  "webhookSubscriptions.listDeliveries": onSubscription(),
  "webhookSubscriptions.getDelivery": onDelivery,
  "webhookSubscriptions.redeliver": onDelivery,
  "webhookSubscriptions.replay": onSubscription({ after: 0 })
}
