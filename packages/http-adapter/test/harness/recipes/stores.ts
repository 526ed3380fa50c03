import { givenCommerce, givenStore } from "@parley/testkit"
import { Effect } from "effect"
import { givenConversation } from "../inbox.ts"
import { nothing, type Recipe } from "../Recipe.ts"
import { givenContact } from "../tenants.ts"

const onStore =
  (body?: unknown): Recipe =>
  ({ tenant }) =>
    Effect.map(givenStore(tenant.organization), ({ id }) => ({ id, body }))

/** What to send to each endpoint of this area so that it does what it is for. What the request needs is made first. */
export const recipes: Readonly<Record<string, Recipe>> = {
  "storeConnections.list": nothing,
  "storeConnections.get": onStore(),
  "storeConnections.update": onStore({ makeContacts: "reachable" }),
  "commerce.listOrders": nothing,
  "commerce.getOrder": ({ tenant }) => Effect.map(givenCommerce(tenant.organization), ({ order: { id } }) => ({ id })),
  "commerce.listCarts": nothing,
  "commerce.getCart": ({ tenant }) => Effect.map(givenCommerce(tenant.organization), ({ cart: { id } }) => ({ id })),
  "commerce.listCustomers": nothing,
  "commerce.getCustomer": ({ tenant }) =>
    Effect.map(givenCommerce(tenant.organization), ({ customer: { id } }) => ({ id })),
  "commerce.listProducts": nothing,
  "commerce.getProduct": ({ tenant }) =>
    Effect.map(givenCommerce(tenant.organization), ({ product: { id } }) => ({ id })),
  "commerce.ofContact": ({ tenant }) =>
    Effect.gen(function* () {
      const { id } = yield* givenContact(tenant.organization)
      yield* givenCommerce(tenant.organization, id)
      return { id }
    }),
  "commerce.ofConversation": ({ tenant }) =>
    Effect.gen(function* () {
      const { contactId, id } = yield* givenConversation(tenant.organization)
      yield* givenCommerce(tenant.organization, contactId)
      return { id }
    })
}
