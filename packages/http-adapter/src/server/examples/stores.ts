import {
  Order,
  OrderId,
  Product,
  ProductId,
  StoreConnectionId,
  StoreConnectionView,
  StoreCustomer,
  StoreCustomerId
} from "@parley/domain/commerce"
import type { Money } from "@parley/domain/kernel"
import { Redacted } from "effect"
import { at, contact } from "./samples.ts"

export const storeConnection = new StoreConnectionView({
  id: StoreConnectionId.make("01934c10-1a2b-7c3d-8e4f-50617283a4b5"),
  provider: "shopify",
  shopDomain: "blue-bakery.myshopify.com",
  name: "Blue Bakery",
  currency: "EUR",
  status: "connected",
  scopes: ["read_customers", "read_orders", "read_products"],
  makeContacts: "reachable",
  takeConsent: false,
  cartAbandonedAfterMinutes: 60,
  ordersSince: at("08:00:00.000"),
  sync: { state: "done", phase: null, progress: { done: 1_204, total: 1_204 }, jobId: null },
  freshness: { state: "live", asOf: at("14:10:00.000") },
  skippedRecords: 0,
  lastSyncedAt: at("14:10:02.000"),
  lastError: null,
  connectedAt: at("08:30:00.000"),
  createdAt: at("08:29:00.000"),
  updatedAt: at("14:10:02.000"),
  version: 5
})

export const { id: storeConnectionId } = storeConnection

export const customer = new StoreCustomer({
  id: StoreCustomerId.make("01934c12-1a2b-7c3d-8e4f-50617283a4b5"),
  storeConnectionId,
  externalId: "gid://shopify/Customer/7123",
  name: contact.name,
  phone: contact.phone,
  email: contact.email,
  locale: contact.locale,
  tags: ["vip"],
  smsConsent: "subscribed",
  chatConsent: "unknown",
  emailConsent: "unknown",
  contactId: contact.id,
  linkedBy: "phone",
  conflictContactId: null,
  createdAt: at("08:31:10.000"),
  updatedAt: at("08:31:10.000")
})

export const journeyCode = Redacted.make("pXk3l0yA5dTqY8fWm2cZ7uRbN1vHs9eGj4oIt6xQaLw")

export const euros = (amountMinor: number): Money => ({ amountMinor, currency: "EUR" })

export const product = new Product({
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

export const orderLine = {
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

export const order = new Order({
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
  lines: [orderLine],
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
