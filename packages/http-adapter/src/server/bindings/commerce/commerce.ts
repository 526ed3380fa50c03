import {
  Cart,
  CartId,
  getCart,
  getContactCommerce,
  getConversationCommerce,
  getOrder,
  getProduct,
  getStoreCustomer,
  linkStoreCustomer,
  listCarts,
  listOrders,
  listProducts,
  listStoreCustomers,
  StoreCustomer
} from "@parley/domain/commerce"
import { CommerceApi } from "../../../api/commerce.ts"
import { at, contact, samplePage } from "../../examples/samples.ts"
import {
  customer,
  euros,
  order,
  orderLine,
  product,
  storeConnection,
  storeConnectionId
} from "../../examples/stores.ts"
import { bind } from "../bind.ts"

const cart = new Cart({
  id: CartId.make("01934c14-1a2b-7c3d-8e4f-50617283a4b5"),
  storeConnectionId,
  externalId: "gid://shopify/AbandonedCheckout/5123",
  customerId: customer.id,
  contactId: contact.id,
  state: "abandoned",
  lines: [orderLine],
  total: euros(1_180),
  recoveryUrl: "https://blue-bakery.example/checkouts/5123/recover",
  lastActivityAt: at("13:00:00.000"),
  abandonedAt: at("14:00:00.000"),
  orderId: null,
  createdAt: at("12:50:00.000"),
  updatedAt: at("14:00:00.000")
})

const across = {
  contactId: contact.id,
  customers: [customer],
  lifetime: [
    {
      currency: "EUR",
      orderCount: 1,
      spent: euros(1_670),
      firstOrderAt: order.placedAt,
      lastOrderAt: order.placedAt
    }
  ],
  orders: [order],
  carts: [cart],
  stores: [
    {
      storeConnectionId,
      name: storeConnection.name,
      status: storeConnection.status,
      freshness: storeConnection.freshness
    }
  ]
}

export const commerce = bind(CommerceApi, {
  listOrders: { runs: listOrders, response: samplePage(order) },
  getOrder: { runs: getOrder, response: order },
  listCarts: { runs: listCarts, response: samplePage(cart) },
  getCart: { runs: getCart, response: cart },
  listCustomers: { runs: listStoreCustomers, response: samplePage(customer) },
  getCustomer: { runs: getStoreCustomer, response: customer },
  linkCustomer: {
    runs: linkStoreCustomer,
    request: { contactId: contact.id },
    response: new StoreCustomer({ ...customer, linkedBy: "manual", updatedAt: at("14:15:00.000") })
  },
  listProducts: { runs: listProducts, response: samplePage(product) },
  getProduct: { runs: getProduct, response: product },
  ofContact: { runs: getContactCommerce, response: across },
  ofConversation: { runs: getConversationCommerce, response: across }
})
