import { nextId, CurrentActor, toActorRef, transact, Vault } from "@parley/domain/kernel"
import { createContact, updateContact } from "@parley/domain/crm"
import {
  startStoreAuthorization,
  completeStoreConnection,
  connectStore,
  readShopDomain,
  type ShopDomain,
  StoreConnectionId,
  getCart,
  getContactCommerce,
  getConversationCommerce,
  getOrder,
  getProduct,
  getStoreConnection,
  getStoreCustomer,
  linkStoreCustomer,
  listCarts,
  listOrders,
  listProducts,
  listSkippedRecords,
  listStoreConnections,
  listStoreCustomers,
  receiveStoreCallback,
  receiveStoreDelivery,
  syncStore,
  completePrivacyRequest,
  getPrivacyRequest,
  listPrivacyRequests,
  removeStoreConnection,
  reencryptStoreSecrets,
  StoreAuthorizations,
  StoreConnections,
  updateStoreConnection
} from "@parley/domain/commerce"
import { exportPrivacyRequest } from "@parley/domain/composition"
import {
  AgreeingStores,
  asOperatorOf,
  codeChallenge,
  codeVerifier,
  givenCommerce,
  givenConversation,
  givenPrivacyRequest,
  givenStore
} from "@parley/testkit"
import { DateTime, Effect, Redacted } from "effect"
import { asOwner, attempt, firstPage, type Prepare, reads, type World } from "../attempting.ts"

const anything = { storeConnectionId: null, contactId: null, updatedSince: null, q: null }

/** An unconnected shop. */
const freshShop = Effect.map(nextId(StoreConnectionId), (id) => `shop-${id}.myshopify.com`)

const domainOf = (shop: string): ShopDomain => {
  const domain = readShopDomain(shop)
  if (domain === null) throw new Error("This is no address of a shop.")
  return domain
}

const shopScript = Effect.flatMap(Effect.serviceOption(AgreeingStores.ShopScript), (found) =>
  found._tag === "Some" ? Effect.succeed(found.value) : Effect.die(new Error("There are no stores in memory."))
)

/** A journey of the owner to an authorized shop, with the query of its callback. */
const givenAgreement = Effect.fnUntraced(function* (world: World) {
  const shop = yield* freshShop
  const begun = yield* asOwner(world, startStoreAuthorization({ shop: domainOf(shop), codeChallenge }))
  const script = yield* shopScript
  yield* script.addCode(shop, `code-${shop}`)
  const state = new URL(begun.authorizeUrl).searchParams.get("state") ?? ""
  return script.comesBack({ shop, state, code: `code-${shop}`, at: yield* DateTime.now })
})

/** A valid attempt at every use case of this area. */
export const attempts: Readonly<Record<string, Prepare>> = {
  "carts.get": ({ organization }) =>
    Effect.map(givenCommerce(organization), ({ cart }) => attempt(getCart({ id: cart.id }))),
  "carts.list": reads(() => listCarts({ ...anything, state: null, page: firstPage })),
  "commerce.getOfContact": (world) =>
    Effect.map(asOwner(world, createContact({ name: "Ada" })), ({ id }) => attempt(getContactCommerce({ id }))),
  "commerce.getOfConversation": ({ organization }) =>
    Effect.map(givenConversation(organization), ({ id }) => attempt(getConversationCommerce({ id }))),
  "orders.get": ({ organization }) =>
    Effect.map(givenCommerce(organization), ({ order }) => attempt(getOrder({ id: order.id }))),
  "orders.list": reads(() => listOrders({ page: firstPage })),
  "products.get": ({ organization }) =>
    Effect.map(givenCommerce(organization), ({ product }) => attempt(getProduct({ id: product.id }))),
  "products.list": reads(() => listProducts({ ...anything, page: firstPage })),
  "storeConnections.authorize": ({ organization }) =>
    Effect.map(givenStore(organization), ({ id, shopDomain }) =>
      attempt(startStoreAuthorization({ shop: domainOf(shopDomain), codeChallenge }), () => ({
        action: "store_connection.authorization_begun",
        target: { kind: "store_connection", id },
        before: null,
        after: null,
        event: null
      }))
    ),
  "storeConnections.receiveCallback": (world) =>
    Effect.map(givenAgreement(world), (query) => attempt(receiveStoreCallback(query))),
  // Each actor completes a separate journey.
  "storeConnections.complete": ({ organization }) =>
    Effect.gen(function* () {
      const { id, provider, shopDomain } = yield* givenStore(organization, {
        status: "pending",
        scopes: [],
        shopId: null
      })
      yield* (yield* shopScript).addCode(shopDomain, "shop-code")
      const completion = { code: Redacted.make("one-time-code"), codeVerifier: Redacted.make(codeVerifier) }
      const call = Effect.gen(function* () {
        const vault = yield* Vault
        const actor = toActorRef(yield* CurrentActor)
        const context = `store_connection/${organization.id}/${id}/parked_code`
        const sealedCode = yield* vault.seal(context, Redacted.make("shop-code"))
        const parked = { storeConnectionId: id, provider, shopDomain, actor, codeChallenge, sealedCode }
        const expiresAt = DateTime.add(yield* DateTime.now, { minutes: 10 })
        const digest = yield* vault.digest(completion.code)
        yield* transact((yield* StoreAuthorizations).park(digest, parked, expiresAt))
        return yield* completeStoreConnection({ id, ...completion })
      })
      return attempt(
        call,
        () => ({
          action: "store_connection.connected",
          target: { kind: "store_connection", id },
          before: { status: "pending", scopes: [] },
          after: { status: "connected", scopes: [...AgreeingStores.wantedScopes] },
          event: { type: "store_connection.connected", storeConnectionId: id }
        }),
        completion
      )
    }),
  "storeConnections.connect": () =>
    Effect.map(freshShop, (shop) =>
      attempt(connectStore({ provider: "shopify", shopDomain: domainOf(shop), codeChallenge }), ({ id }) => ({
        action: "store_connection.created",
        target: { kind: "store_connection", id },
        before: null,
        after: {
          provider: "shopify",
          shopDomain: shop,
          makeContacts: "never",
          takeConsent: false,
          cartAbandonedAfterMinutes: 60
        },
        event: null
      }))
    ),
  "privacyRequests.complete": ({ organization }) =>
    Effect.map(givenPrivacyRequest(organization), ({ id, storeConnectionId }) =>
      attempt(completePrivacyRequest({ id }), () => ({
        action: "privacy_request.completed",
        target: { kind: "privacy_request", id },
        before: { state: "ready" },
        after: { state: "done" },
        event: { type: "privacy_request.done", privacyRequestId: id, storeConnectionId, contactId: null }
      }))
    ),
  "privacyRequests.export": ({ organization }) =>
    Effect.map(givenPrivacyRequest(organization), ({ id }) => attempt(exportPrivacyRequest({ id }))),
  "privacyRequests.get": ({ organization }) =>
    Effect.map(givenPrivacyRequest(organization), ({ id }) => attempt(getPrivacyRequest({ id }))),
  "privacyRequests.list": reads(() => listPrivacyRequests({ page: firstPage })),
  // An unfinished one is removed directly. For others a job reports the removal.
  "storeConnections.remove": ({ organization }) =>
    Effect.map(givenStore(organization, { status: "pending" }), ({ id, shopDomain }) =>
      attempt(removeStoreConnection({ id, ifVersion: 1 }), () => ({
        action: "store_connection.removed",
        target: { kind: "store_connection", id },
        before: { provider: "shopify", shopDomain, status: "pending" },
        after: null,
        event: { type: "store_connection.removed", storeConnectionId: id }
      }))
    ),
  "storeConnections.reseal": ({ organization }) =>
    Effect.gen(function* () {
      const { id } = yield* givenStore(organization)
      const vault = yield* Vault
      const accessToken = yield* vault.seal(
        `store_connection/${organization.id}/${id}/access_token`,
        Redacted.make("access-1")
      )
      const secrets = { accessToken, expiresAt: null, refreshToken: null, refreshExpiresAt: null }
      yield* transact((yield* StoreConnections).keepSecrets(id, secrets)).pipe(asOperatorOf(organization), Effect.orDie)
      return attempt(reencryptStoreSecrets(), () => ({
        action: "store_connection.resealed",
        target: { kind: "store_connection", id },
        before: null,
        after: null,
        event: null
      }))
    }),
  "storeConnections.get": ({ organization }) =>
    Effect.map(givenStore(organization), ({ id }) => attempt(getStoreConnection({ id }))),
  "storeConnections.listSkipped": ({ organization }) =>
    Effect.map(givenStore(organization), ({ id }) => attempt(listSkippedRecords({ id, page: firstPage }))),
  "storeConnections.list": reads(() => listStoreConnections({ page: firstPage })),
  "storeConnections.sync": ({ organization }) =>
    Effect.map(givenStore(organization), ({ id }) =>
      attempt(syncStore({ id, full: true }), (job) => ({
        action: "store_connection.sync_started",
        target: { kind: "store_connection", id },
        before: null,
        after: { jobId: job.id, full: true },
        event: { type: "job.started", jobId: job.id, kind: "stores.sync" }
      }))
    ),
  "storeConnections.update": ({ organization }) =>
    Effect.map(givenStore(organization), ({ id }) =>
      attempt(updateStoreConnection({ id, cartAbandonedAfterMinutes: 90, ifVersion: 1 }), () => ({
        action: "store_connection.updated",
        target: { kind: "store_connection", id },
        before: { cartAbandonedAfterMinutes: 60 },
        after: { cartAbandonedAfterMinutes: 90 },
        event: { type: "store_connection.updated", storeConnectionId: id }
      }))
    ),
  "storeWebhooks.receive": ({ organization }) =>
    Effect.gen(function* () {
      const { id, shopDomain, shopId } = yield* givenStore(organization)
      const { headers, text } = (yield* shopScript).delivers({
        shop: shopDomain,
        shopId: shopId ?? id,
        topic: "orders/create",
        signals: [{ kind: "changed", record: "orders", externalId: "1" }]
      })
      return attempt(receiveStoreDelivery({ path: ["shopify"], headers, body: Buffer.from(text) }))
    }),
  "storeCustomers.get": ({ organization }) =>
    Effect.map(givenCommerce(organization), ({ customer }) => attempt(getStoreCustomer({ id: customer.id }))),
  "storeCustomers.link": (world) =>
    Effect.gen(function* () {
      const { connection, customer } = yield* givenCommerce(world.organization)
      const { id: contactId } = yield* asOwner(world, createContact({ name: "Ada" }))
      // Contact tests cover the contact changes of a link: here the contact already has the identity.
      const value = `shopify/${connection.shopId}/${customer.externalId}`
      const identities = [{ kind: "store_customer" as const, value }]
      yield* asOwner(world, updateContact({ id: contactId, addIdentities: identities, ifVersion: null }))
      return attempt(linkStoreCustomer({ id: customer.id, contactId }), () => ({
        action: "store_customer.linked",
        target: { kind: "store_customer", id: customer.id },
        before: { contactId: null, linkedBy: null },
        after: { contactId, linkedBy: "manual" },
        event: {
          type: "customer.linked",
          storeCustomerId: customer.id,
          storeConnectionId: connection.id,
          contactId
        }
      }))
    }),
  "storeCustomers.list": reads(() => listStoreCustomers({ ...anything, page: firstPage }))
}
