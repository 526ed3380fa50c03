import { type Money, transact } from "@parley/domain/kernel"
import {
  type CartRecord,
  CartId,
  type StoredCart,
  type StoredCustomer,
  type StoredOrder,
  type StoredProduct,
  neverSynced,
  OrderId,
  type OrderRecord,
  Product,
  ProductId,
  RefundId,
  StoreCarts,
  StoreConnection,
  StoreConnectionId,
  StoreConnections,
  StoreCustomer,
  StoreCustomerId,
  StoreCustomers,
  StoreOrders,
  StoreProducts
} from "@parley/domain/commerce"
import { DateTime, Effect } from "effect"
import { freshId, freshText } from "../given.ts"

export const morning = DateTime.makeUnsafe("2026-03-01T08:00:00.125Z")
export const evening = DateTime.makeUnsafe("2026-03-01T20:00:00.875Z")

export const eur = (amountMinor: number): Money => ({ amountMinor, currency: "EUR" })

/** Connection without an authorization. */
export const newConnection = (overrides: Partial<StoreConnection> = {}): StoreConnection => {
  const shopDomain = `${freshText("shop")}.myshopify.com`
  return new StoreConnection({
    id: freshId(StoreConnectionId),
    provider: "shopify",
    shopDomain,
    shopId: null,
    name: shopDomain,
    currency: null,
    country: null,
    status: "pending",
    scopes: [],
    makeContacts: "never",
    takeConsent: false,
    cartAbandonedAfterMinutes: 60,
    ordersSince: null,
    sync: neverSynced,
    asOf: null,
    fullAsOf: null,
    lastSyncedAt: null,
    lastError: null,
    connectedAt: null,
    uninstalledAt: null,
    removalStartedAt: null,
    retry: null,
    createdAt: morning,
    updatedAt: morning,
    version: 1,
    ...overrides
  })
}

/** Connection with all fields set. */
export const wholeConnection = (overrides: Partial<StoreConnection> = {}): StoreConnection =>
  newConnection({
    shopId: freshText("gid"),
    name: "Ada’s “Bakery” 🥐",
    currency: "EUR",
    country: "DE",
    status: "connected",
    scopes: ["read_customers", "read_orders", "read_products"],
    makeContacts: "subscribed",
    takeConsent: true,
    cartAbandonedAfterMinutes: 10_080,
    ordersSince: morning,
    sync: { state: "running", phase: "orders", progress: { done: 12, total: null }, jobId: null },
    asOf: morning,
    fullAsOf: evening,
    lastSyncedAt: evening,
    lastError: { code: "throttled", reason: "Too much at once.", at: evening },
    connectedAt: morning,
    uninstalledAt: evening,
    removalStartedAt: evening,
    retry: { failures: 2, at: evening },
    ...overrides
  })

/** A connection in the store. */
export const givenConnection = Effect.fnUntraced(function* (overrides: Partial<StoreConnection> = {}) {
  const connection = wholeConnection(overrides)
  yield* Effect.orDie(transact((yield* StoreConnections).insert(connection)))
  return connection
})

interface Of {
  readonly id: StoreConnectionId
}

export const newCustomer = (
  { id: storeConnectionId }: Of,
  overrides: Partial<StoreCustomer> = {},
  kept: Partial<Omit<StoredCustomer, "customer">> = {}
): StoredCustomer => ({
  customer: new StoreCustomer({
    id: freshId(StoreCustomerId),
    storeConnectionId,
    externalId: freshText("c"),
    name: "Ada “A.” Lovelace",
    phone: "+491701234567",
    email: "ada@example.com",
    locale: "pt-BR",
    tags: ["vip", "ä \\ %"],
    smsConsent: "subscribed",
    chatConsent: "unsubscribed",
    emailConsent: "unknown",
    contactId: null,
    linkedBy: null,
    conflictContactId: null,
    createdAt: morning,
    updatedAt: morning,
    ...overrides
  }),
  changedAt: morning,
  smsConsentAt: null,
  chatConsentAt: null,
  closedAt: null,
  ...kept
})

export const line = {
  externalProductId: null,
  externalVariantId: "v1",
  sku: "BREAD-1",
  title: "Sourdough “Spezial”",
  variantTitle: null,
  imageUrl: "https://cdn.example.com/mug.png",
  quantity: 2,
  currentQuantity: 1,
  unitPrice: eur(450),
  discount: eur(0)
} as const

export const orderRecord = (overrides: Partial<OrderRecord> = {}): OrderRecord => ({
  externalId: freshText("o"),
  name: "#1001",
  externalCustomerId: null,
  phone: null,
  email: null,
  checkoutToken: null,
  placedAt: morning,
  cancelledAt: null,
  test: false,
  paymentStatus: "paid",
  fulfilmentStatus: "partial",
  total: eur(900),
  currentTotal: eur(450),
  tax: eur(63),
  shipping: eur(0),
  discount: eur(0),
  paid: eur(900),
  refunded: eur(450),
  presentmentTotal: { amountMinor: 1_000, currency: "USD" },
  statusUrl: "https://ada.example/orders/1",
  adminUrl: "https://ada.myshopify.com/admin/orders/1",
  lines: [line],
  fulfilments: [{ status: "in_transit", carrier: "DHL", trackingNumber: "1", trackingUrl: null, at: evening }],
  refunds: [{ externalId: "r1", amount: eur(450), at: evening }],
  truncated: false,
  updatedAt: morning,
  ...overrides
})

export const newOrder = (
  { id: storeConnectionId }: Of,
  record: Partial<OrderRecord> = {},
  overrides: Partial<StoredOrder> = {}
): StoredOrder => ({
  id: freshId(OrderId),
  storeConnectionId,
  contactId: null,
  record: orderRecord(record),
  refundIds: [freshId(RefundId)],
  gross: [{ amountMinor: 900, at: morning }],
  deletedAt: null,
  createdAt: morning,
  updatedAt: morning,
  ...overrides
})

export const newCart = (
  { id: storeConnectionId }: Of,
  record: Partial<CartRecord> = {},
  overrides: Partial<StoredCart> = {}
): StoredCart => ({
  id: freshId(CartId),
  storeConnectionId,
  contactId: null,
  record: {
    externalId: freshText("k"),
    token: null,
    externalCustomerId: null,
    phone: "+491701234567",
    email: null,
    lines: [line],
    total: eur(900),
    recoveryUrl: "https://ada.example/recover/1",
    completedAt: null,
    updatedAt: morning,
    ...record
  },
  state: "active",
  abandonedAt: null,
  toldAt: null,
  orderId: null,
  closedAt: null,
  createdAt: morning,
  updatedAt: morning,
  ...overrides
})

export const newProduct = ({ id: storeConnectionId }: Of, overrides: Partial<Product> = {}): StoredProduct => ({
  product: new Product({
    id: freshId(ProductId),
    storeConnectionId,
    externalId: freshText("p"),
    title: "Sourdough",
    status: "active",
    url: "https://ada.example/products/sourdough",
    imageUrl: null,
    variants: [{ externalId: "v1", title: "Large", sku: "BREAD-1", price: eur(450), available: true }],
    createdAt: morning,
    updatedAt: morning,
    ...overrides
  }),
  changedAt: morning
})

export const putCustomers = (...customers: ReadonlyArray<StoredCustomer>) =>
  Effect.flatMap(StoreCustomers, (port) => transact(port.put(customers)))
export const putOrders = (...orders: ReadonlyArray<StoredOrder>) =>
  Effect.flatMap(StoreOrders, (port) => transact(port.put(orders)))
export const putCarts = (...carts: ReadonlyArray<StoredCart>) =>
  Effect.flatMap(StoreCarts, (port) => transact(port.put(carts)))
export const putProducts = (...products: ReadonlyArray<StoredProduct>) =>
  Effect.flatMap(StoreProducts, (port) => transact(port.put(products)))

/** Any record. */
export const anything = { storeConnectionId: null, contactId: null, updatedSince: null, q: null }
export const anyCart = { ...anything, state: null }
