import {
  createContact,
  getCart,
  getContactCommerce,
  getConversationCommerce,
  getOrder,
  getProduct,
  getStoreConnection,
  getStoreCustomer,
  listCarts,
  listOrders,
  listProducts,
  listStoreConnections,
  listStoreCustomers,
  updateStoreConnection
} from "@parley/domain"
import { givenCommerce, givenConversation, givenStore } from "@parley/testkit"
import { Effect } from "effect"
import { asOwner, attempt, firstPage, type Prepare, reads } from "../attempting.ts"

const anything = { storeConnectionId: null, contactId: null, updatedSince: null, q: null }

/** A valid attempt at every use case of this area. */
export const attempts: Readonly<Record<string, Prepare>> = {
  "carts.get": ({ organization }) => Effect.map(givenCommerce(organization), ({ cart }) => attempt(getCart(cart.id))),
  "carts.list": reads(() => listCarts({ ...anything, state: null }, firstPage)),
  "commerce.getOfContact": (world) =>
    Effect.map(asOwner(world, createContact({ name: "Ada" })), ({ id }) => attempt(getContactCommerce(id, 10))),
  "commerce.getOfConversation": ({ organization }) =>
    Effect.map(givenConversation(organization), ({ id }) => attempt(getConversationCommerce(id, 10))),
  "orders.get": ({ organization }) =>
    Effect.map(givenCommerce(organization), ({ order }) => attempt(getOrder(order.id))),
  "orders.list": reads(() => listOrders({ ...anything, paymentStatus: null, fulfilmentStatus: null }, firstPage)),
  "products.get": ({ organization }) =>
    Effect.map(givenCommerce(organization), ({ product }) => attempt(getProduct(product.id))),
  "products.list": reads(() => listProducts(anything, firstPage)),
  "storeConnections.get": ({ organization }) =>
    Effect.map(givenStore(organization), ({ id }) => attempt(getStoreConnection(id))),
  "storeConnections.list": reads(() => listStoreConnections(null, firstPage)),
  "storeConnections.update": ({ organization }) =>
    Effect.map(givenStore(organization), ({ id }) =>
      attempt(updateStoreConnection(id, { makeContacts: "reachable" }, 1), () => ({
        action: "store_connection.updated",
        target: { kind: "store_connection", id },
        before: { makeContacts: "never" },
        after: { makeContacts: "reachable" },
        event: { type: "store_connection.updated", storeConnectionId: id }
      }))
    ),
  "storeCustomers.get": ({ organization }) =>
    Effect.map(givenCommerce(organization), ({ customer }) => attempt(getStoreCustomer(customer.id))),
  "storeCustomers.list": reads(() => listStoreCustomers(anything, firstPage))
}
