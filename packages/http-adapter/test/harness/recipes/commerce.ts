import {
  codeChallenge,
  codeVerifier,
  givenCommerce,
  givenPrivacyRequest,
  givenStore,
  receiveCode
} from "@parley/testkit"
import { CurrentActor, CurrentOrganization, nextId, type Permission } from "@parley/domain/kernel"
import { startStoreAuthorization, ShopDomain, StoreConnectionId } from "@parley/domain/commerce"
import { DateTime, Effect, Redacted } from "effect"
import { agreedFor, comingBack, storeScript } from "../stores.ts"
import { givenConversation } from "../inbox.ts"
import { nothing, type Recipe } from "../Recipe.ts"
import { givenContact } from "../tenants.ts"

const onStore =
  (body?: unknown): Recipe =>
  ({ tenant }) =>
    Effect.map(givenStore(tenant.organization), ({ id }) => ({ id, body }))

const onPrivacyRequest: Recipe = ({ tenant }) =>
  Effect.map(givenPrivacyRequest(tenant.organization), ({ id }) => ({ id }))

/** A shop that is not connected. */
const freshShop = Effect.map(nextId(StoreConnectionId), (id) => ShopDomain.make(`shop-${id}.myshopify.com`))

/** Report of a shop of the organization. */
const delivered: Recipe = ({ tenant }) =>
  Effect.gen(function* () {
    const { id, shopDomain, shopId } = yield* givenStore(tenant.organization)
    const delivery = (yield* storeScript).delivers({
      shop: shopDomain,
      shopId: shopId ?? id,
      topic: "orders/create",
      signals: [{ kind: "changed", record: "orders", externalId: "1" }]
    })
    return { id: "shopify", ...delivery }
  })

/** The caller has started a journey to a shop, and the shop has granted access. */
const completing: Recipe = ({ person, tenant }) =>
  Effect.gen(function* () {
    const shop = yield* freshShop
    const start = startStoreAuthorization({ shop, codeChallenge })
    const { authorizeUrl, storeConnectionId: id } = yield* start.pipe(
      Effect.provideService(CurrentOrganization, { id: tenant.organization.id }),
      Effect.provideService(CurrentActor, {
        kind: "user",
        userId: person.user.id,
        sessionId: person.sessionId,
        role: "owner",
        permissions: new Set<Permission>(["store_connections.manage"])
      }),
      Effect.orDie
    )
    const code = yield* Effect.orDie(receiveCode(yield* agreedFor(shop, authorizeUrl)))
    return { id, body: { code: Redacted.value(code), codeVerifier } }
  })

/** A valid request for each endpoint of this area, with creation of the data that the request needs. */
export const recipes: Readonly<Record<string, Recipe>> = {
  "storeConnections.list": nothing,
  "storeConnections.create": () =>
    Effect.map(freshShop, (shopDomain) => ({ body: { provider: "shopify", shopDomain, codeChallenge } })),
  "storeConnections.authorize": () =>
    Effect.map(freshShop, (shop) => ({
      query: `?shop=${shop}&codeChallenge=${codeChallenge}`,
      headers: { accept: "application/json" }
    })),
  "storeConnections.complete": completing,
  "storeConnections.listSkipped": onStore(),
  "storeCallbacks.receive": ({ tenant }) =>
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
  "storeWebhooks.receiveAnywhere": delivered,
  "storeWebhooks.receiveUnderPrefix": delivered,
  "storeWebhooks.receiveAnywhereUnderPrefix": delivered,
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
      // The contact already has the identity, so the contact does not change.
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
