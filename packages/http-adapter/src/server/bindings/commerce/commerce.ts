import type { Money } from "@parley/domain/kernel"
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
  Order,
  OrderId,
  Product,
  ProductId,
  StoreCustomer
} from "@parley/domain/commerce"
import { CommerceApi } from "../../../api/commerce.ts"
import { at, contact, samplePage } from "../../examples/samples.ts"
import { customer, storeConnection, storeConnectionId } from "../../examples/stores.ts"
import { bind } from "../bind.ts"

const euros = (amountMinor: number): Money => ({ amountMinor, currency: "EUR" })

const product = new Product({
  id: ProductId.make("01934c11-1a2b-7c3d-8e4f-50617283a4b5"),
  storeConnectionId,
  externalId: "gid://shopify/Product/8123",
  title: "Rye bread",
  status: "active",
  url: "https://blue-bakery.example/products/rye-bread",
  imageUrl: null,
  variants: [
    { externalId: "gid://shopify/ProductVariant/9123", title: "1 kg", sku: "RYE-1", price: euros(590), available: true }
  ],
  createdAt: at("08:31:00.000"),
  updatedAt: at("08:31:00.000")
})

const line = {
  productId: product.id,
  externalVariantId: "gid://shopify/ProductVariant/9123",
  sku: "RYE-1",
  title: product.title,
  variantTitle: "1 kg",
  imageUrl: "https://cdn.shopify.com/s/files/1/0600/rye.png",
  quantity: 2,
  currentQuantity: 2,
  unitPrice: euros(590),
  discount: euros(0)
}

const order = new Order({
  id: OrderId.make("01934c13-1a2b-7c3d-8e4f-50617283a4b5"),
  storeConnectionId,
  externalId: "gid://shopify/Order/6123",
  name: "#1001",
  customerId: customer.id,
  contactId: contact.id,
  placedAt: at("12:00:00.000"),
  cancelledAt: null,
  test: false,
  paymentStatus: "paid",
  fulfilmentStatus: "fulfilled",
  total: euros(1_670),
  currentTotal: euros(1_670),
  tax: euros(109),
  shipping: euros(490),
  discount: euros(0),
  paid: euros(1_670),
  refunded: euros(0),
  presentmentTotal: euros(1_670),
  statusUrl: "https://blue-bakery.example/orders/6123",
  adminUrl: "https://blue-bakery.myshopify.com/admin/orders/6123",
  lines: [line],
  fulfilments: [
    {
      status: "in_transit",
      carrier: "DHL",
      trackingNumber: "00340434161094021501",
      trackingUrl: "https://tracking.example/00340434161094021501",
      at: at("13:00:00.000")
    }
  ],
  refunds: [],
  truncated: false,
  createdAt: at("12:00:01.000"),
  updatedAt: at("13:00:01.000")
})

const cart = new Cart({
  id: CartId.make("01934c14-1a2b-7c3d-8e4f-50617283a4b5"),
  storeConnectionId,
  externalId: "gid://shopify/AbandonedCheckout/5123",
  customerId: customer.id,
  contactId: contact.id,
  state: "abandoned",
  lines: [line],
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
