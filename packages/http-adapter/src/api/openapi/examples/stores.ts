import {
  startStoreAuthorization,
  Cart,
  CartId,
  completePrivacyRequest,
  completeStoreConnection,
  connectStore,
  exportPrivacyRequest,
  getCart,
  getContactCommerce,
  getConversationCommerce,
  getOrder,
  getPrivacyRequest,
  getProduct,
  getStoreConnection,
  getStoreCustomer,
  Job,
  JobId,
  linkStoreCustomer,
  listCarts,
  listOrders,
  listPrivacyRequests,
  listProducts,
  listSkippedRecords,
  listStoreConnections,
  listStoreCustomers,
  type Money,
  Order,
  OrderId,
  PendingStoreConnection,
  PrivacyRequest,
  PrivacyRequestId,
  Product,
  ProductId,
  receiveStoreCallback,
  removeStoreConnection,
  SkippedRecord,
  StoreConnectionId,
  StoreConnectionView,
  StoreCustomer,
  StoreCustomerId,
  syncStore,
  updateStoreConnection
} from "@parley/domain"
import { Redacted } from "effect"
import type { CommerceApi, PrivacyRequestsApi } from "../../commerce.ts"
import type { StoreCallbacksApi, StoreConnectionsApi } from "../../storeConnections.ts"
import type { ExamplesOf } from "./Example.ts"
import { ada, at, contact, organization, pageOf } from "./samples.ts"

const euros = (amountMinor: number): Money => ({ amountMinor, currency: "EUR" })

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

const { id: storeConnectionId } = storeConnection

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

const customer = new StoreCustomer({
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

const authorizeUrl =
  "https://blue-bakery.myshopify.com/admin/oauth/authorize?client_id=8f1f&scope=read_customers,read_orders,read_products&state=r7Zc1u"

const pendingStore = new PendingStoreConnection({
  ...storeConnection,
  name: storeConnection.shopDomain,
  currency: null,
  status: "pending",
  scopes: [],
  ordersSince: null,
  sync: { state: "never", phase: null, progress: { done: 0, total: null }, jobId: null },
  freshness: { state: "frozen", asOf: null },
  lastSyncedAt: null,
  connectedAt: null,
  updatedAt: storeConnection.createdAt,
  version: 1,
  authorizeUrl,
  authorizeExpiresAt: at("08:39:00.000")
})

const journeyCode = Redacted.make("pXk3l0yA5dTqY8fWm2cZ7uRbN1vHs9eGj4oIt6xQaLw")

export const storeConnections: ExamplesOf<typeof StoreConnectionsApi> = {
  list: { runs: listStoreConnections, answer: pageOf(storeConnection) },
  create: {
    runs: connectStore,
    request: {
      provider: "shopify",
      shopDomain: storeConnection.shopDomain,
      makeContacts: "reachable",
      codeChallenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
      returnTo: "https://app.bluebakery.example/stores"
    },
    answer: pendingStore
  },
  authorize: {
    runs: startStoreAuthorization,
    answer: { authorizeUrl, expiresAt: pendingStore.authorizeExpiresAt, storeConnectionId }
  },
  get: { runs: getStoreConnection, answer: storeConnection },
  sync: {
    runs: syncStore,
    request: { full: true },
    answer: new Job({
      id: JobId.make("01934c11-2b3c-7d4e-9f50-61728394a5b6"),
      kind: "stores.sync",
      state: "queued",
      progress: { done: 0, total: null },
      counts: {},
      error: null,
      errorCode: null,
      resultUrl: null,
      cancelRequested: false,
      createdBy: { kind: "user", id: ada.id },
      createdAt: at("14:15:00.000"),
      startedAt: null,
      finishedAt: null,
      updatedAt: at("14:15:00.000")
    })
  },
  listSkipped: {
    runs: listSkippedRecords,
    answer: pageOf(
      new SkippedRecord({
        kind: "orders",
        externalId: "5123",
        reason: "No readable value: totalPriceSet",
        createdAt: at("13:00:00.000"),
        updatedAt: at("14:10:00.000")
      })
    )
  },
  complete: {
    runs: completeStoreConnection,
    request: { code: journeyCode, codeVerifier: Redacted.make("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk") },
    answer: new StoreConnectionView({
      ...storeConnection,
      sync: pendingStore.sync,
      freshness: { state: "catching_up", asOf: null },
      lastSyncedAt: null,
      updatedAt: at("08:30:00.000"),
      version: 2
    })
  },
  delete: { runs: removeStoreConnection },
  update: {
    runs: updateStoreConnection,
    request: { makeContacts: "subscribed" },
    answer: new StoreConnectionView({
      ...storeConnection,
      makeContacts: "subscribed",
      updatedAt: at("14:15:00.000"),
      version: storeConnection.version + 1
    })
  }
}

export const storeCallbacks: ExamplesOf<typeof StoreCallbacksApi> = {
  receive: {
    runs: receiveStoreCallback,
    answer: {
      storeConnectionId,
      result: "authorized",
      code: journeyCode,
      organization: { id: organization.id, name: organization.name }
    }
  }
}

export const commerce: ExamplesOf<typeof CommerceApi> = {
  listOrders: { runs: listOrders, answer: pageOf(order) },
  getOrder: { runs: getOrder, answer: order },
  listCarts: { runs: listCarts, answer: pageOf(cart) },
  getCart: { runs: getCart, answer: cart },
  listCustomers: { runs: listStoreCustomers, answer: pageOf(customer) },
  getCustomer: { runs: getStoreCustomer, answer: customer },
  linkCustomer: {
    runs: linkStoreCustomer,
    request: { contactId: contact.id },
    answer: new StoreCustomer({ ...customer, linkedBy: "manual", updatedAt: at("14:15:00.000") })
  },
  listProducts: { runs: listProducts, answer: pageOf(product) },
  getProduct: { runs: getProduct, answer: product },
  ofContact: { runs: getContactCommerce, answer: across },
  ofConversation: { runs: getConversationCommerce, answer: across }
}

const privacyRequest = new PrivacyRequest({
  id: PrivacyRequestId.make("01934c17-1a2b-7c3d-8e4f-50617283a4b5"),
  storeConnectionId,
  kind: "data_request",
  contactId: contact.id,
  state: "ready",
  receivedAt: at("13:00:00.000"),
  dueAt: at("13:00:00.000"),
  doneAt: null,
  reason: null,
  counts: { customers: 1, contacts: 1 },
  createdAt: at("13:00:00.000"),
  updatedAt: at("13:00:01.000")
})

export const privacyRequests: ExamplesOf<typeof PrivacyRequestsApi> = {
  list: { runs: listPrivacyRequests, answer: pageOf(privacyRequest) },
  get: { runs: getPrivacyRequest, answer: privacyRequest },
  export: {
    runs: exportPrivacyRequest,
    answer: { privacyRequest, customers: [customer], contact: null }
  },
  complete: {
    runs: completePrivacyRequest,
    answer: new PrivacyRequest({
      ...privacyRequest,
      state: "done",
      doneAt: at("15:00:00.000"),
      updatedAt: at("15:00:00.000")
    })
  }
}
