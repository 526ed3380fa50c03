import { givenCommerce, givenPrivacyRequest, givenStore } from "@parley/testkit"
import { nextId, StoreConnectionId } from "@parley/domain"
import { DateTime, Effect } from "effect"
import { comingBack, storeScript } from "../stores.ts"
import { givenConversation } from "../inbox.ts"
import { nothing, type Recipe } from "../Recipe.ts"
import { givenContact } from "../tenants.ts"

const onStore =
  (body?: unknown): Recipe =>
  ({ tenant }) =>
    Effect.map(givenStore(tenant.organization), ({ id }) => ({ id, body }))

const onPrivacyRequest: Recipe = ({ tenant }) =>
  Effect.map(givenPrivacyRequest(tenant.organization), ({ id }) => ({ id }))

/** A shop that nobody has connected. */
const freshShop = Effect.map(nextId(StoreConnectionId), (id) => `shop-${id}.myshopify.com`)

/** What a shop of the organization tells. */
const delivered: Recipe = ({ tenant }) =>
  Effect.gen(function* () {
    const { id, shopDomain, shopId } = yield* givenStore(tenant.organization)
    const delivery = (yield* storeScript).delivers({
      shop: shopDomain,
      shopId: shopId ?? id,
      topic: "orders/create",
      signals: [{ kind: "changed", record: "orders", externalId: "1" }]
    })
    return { id: "shopify", params: { topic: "orders", event: "create" }, ...delivery }
  })

/** What to send to each endpoint of this area so that it does what it is for. What the request needs is made first. */
export const recipes: Readonly<Record<string, Recipe>> = {
  "storeConnections.list": nothing,
  "storeConnections.create": () =>
    Effect.map(freshShop, (shopDomain) => ({ body: { provider: "shopify", shopDomain } })),
  "storeConnections.authorize": () =>
    Effect.map(freshShop, (shop) => ({ query: `?shop=${shop}`, headers: { accept: "application/json" } })),
  "storeCallbacks.complete": ({ tenant }) =>
    Effect.map(
      Effect.flatMap(freshShop, (shop) => comingBack(tenant.organization, shop)),
      (query) => ({ query })
    ),
  "storeConnections.get": onStore(),
  "storeConnections.sync": onStore({ full: true }),
  "storeConnections.update": onStore({ makeContacts: "reachable" }),
  "storeConnections.delete": onStore(),
  "privacyRequests.list": nothing,
  "privacyRequests.get": onPrivacyRequest,
  "privacyRequests.export": onPrivacyRequest,
  "privacyRequests.complete": onPrivacyRequest,
  "storeWebhooks.receive": delivered,
  "storeWebhooks.receiveTopic": delivered,
  "storeWebhooks.receiveEvent": delivered,
  "storeWebhooks.receiveUnderPrefix": delivered,
  "storeWebhooks.receiveTopicUnderPrefix": delivered,
  "storeWebhooks.receiveEventUnderPrefix": delivered,
  "commerce.listOrders": nothing,
  "commerce.getOrder": ({ tenant }) => Effect.map(givenCommerce(tenant.organization), ({ order: { id } }) => ({ id })),
  "commerce.listCarts": nothing,
  "commerce.getCart": ({ tenant }) => Effect.map(givenCommerce(tenant.organization), ({ cart: { id } }) => ({ id })),
  "commerce.listCustomers": nothing,
  "commerce.getCustomer": ({ tenant }) =>
    Effect.map(givenCommerce(tenant.organization), ({ customer: { id } }) => ({ id })),
  "commerce.linkCustomer": ({ tenant }) =>
    Effect.gen(function* () {
      const { connection, customer } = yield* givenCommerce(tenant.organization)
      // The contact holds the identity already, so that nothing is written of the contact.
      const value = `${connection.provider}/${connection.shopId}/${customer.externalId}`
      const addedAt = yield* DateTime.now
      const { id: contactId } = yield* givenContact(tenant.organization, {
        identities: [{ kind: "store_customer", value, source: "store", addedAt }]
      })
      return { id: customer.id, body: { contactId } }
    }),
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
