import type { Money } from "@parley/domain/kernel"
import {
  type CartRecord,
  type CustomerRecord,
  type LineRecord,
  type OrderRecord,
  type ProductRecord,
  type RecordKind,
  StorePlatforms,
  type StoreRecords,
  StoreUnreachable
} from "@parley/domain/commerce"
import { MemoryStores, StoreScript } from "@parley/testkit"
import { storePlatformContract, StoreSide } from "@parley/testkit/contracts"
import { DateTime, Effect, Layer } from "effect"

const shop = {
  shopId: "1",
  shopDomain: "ada.myshopify.com",
  name: "Ada",
  currency: "EUR",
  country: "DE"
}

const at = (minute: number) => DateTime.makeUnsafe(1_780_000_000_000 + minute * 60_000)
const euros = (amountMinor: number): Money => ({ amountMinor, currency: "EUR" })

const line: LineRecord = {
  externalProductId: "1",
  externalVariantId: "1",
  sku: null,
  title: "Cup",
  variantTitle: null,
  imageUrl: null,
  quantity: 1,
  currentQuantity: 1,
  unitPrice: euros(500),
  discount: euros(0)
}

const customer = (minute: number): CustomerRecord => ({
  externalId: String(minute),
  name: "Ada",
  phones: [],
  email: null,
  locale: "en",
  tags: [],
  smsConsent: { state: "unknown", at: null },
  chatConsent: { state: "unknown", at: null },
  emailConsent: { state: "unknown", at: null },
  updatedAt: at(minute)
})

const order = (minute: number): OrderRecord => ({
  externalId: String(minute),
  name: `#${minute}`,
  externalCustomerId: null,
  phone: null,
  email: null,
  checkoutToken: null,
  placedAt: at(minute),
  cancelledAt: null,
  test: false,
  paymentStatus: "paid",
  fulfilmentStatus: "unfulfilled",
  total: euros(500),
  currentTotal: euros(500),
  tax: euros(0),
  shipping: euros(0),
  discount: euros(0),
  paid: euros(500),
  refunded: euros(0),
  presentmentTotal: euros(500),
  statusUrl: null,
  adminUrl: null,
  lines: [line],
  fulfilments: [],
  refunds: [],
  truncated: false,
  updatedAt: at(minute)
})

const product = (minute: number): ProductRecord => ({
  externalId: String(minute),
  title: "Cup",
  status: "active",
  url: null,
  imageUrl: null,
  variants: [],
  updatedAt: at(minute)
})

const cart = (minute: number): CartRecord => ({
  externalId: String(minute),
  token: `cart-${minute}`,
  externalCustomerId: null,
  phone: null,
  email: null,
  lines: [line],
  total: euros(500),
  recoveryUrl: null,
  completedAt: null,
  updatedAt: at(minute)
})

const side = Layer.effect(
  StoreSide,
  Effect.gen(function* () {
    const script = yield* StoreScript
    const platform = yield* Effect.orDie(Effect.fromNullishOr((yield* StorePlatforms).get("shopify")))
    const records: { [Kind in RecordKind]: ReadonlyArray<StoreRecords[Kind]> } = {
      products: [1, 2, 3, 4, 5].map(product),
      customers: [1, 2, 3, 4, 5].map(customer),
      orders: [1, 2, 3, 4, 5].map(order),
      carts: [1, 2, 3, 4, 5].map(cart)
    }
    const make = { products: product, customers: customer, orders: order, carts: cart }
    let minute = 100
    const put = (kind: RecordKind) => {
      minute += 1
      switch (kind) {
        case "products":
          records.products = [...records.products, make.products(minute)]
          return script.put(shop.shopDomain, kind, make.products(minute))
        case "customers":
          records.customers = [...records.customers, make.customers(minute)]
          return script.put(shop.shopDomain, kind, make.customers(minute))
        case "orders":
          records.orders = [...records.orders, make.orders(minute)]
          return script.put(shop.shopDomain, kind, make.orders(minute))
        case "carts":
          records.carts = [...records.carts, make.carts(minute)]
          return script.put(shop.shopDomain, kind, make.carts(minute))
      }
    }
    yield* script.addShop(shop)
    yield* script.put(shop.shopDomain, "products", ...records.products)
    yield* script.put(shop.shopDomain, "customers", ...records.customers)
    yield* script.put(shop.shopDomain, "orders", ...records.orders)
    yield* script.put(shop.shopDomain, "carts", ...records.carts)
    return {
      platform,
      shop,
      agree: script.agree,
      deny: script.deny,
      signed: ["code", "shop", "state", "timestamp"],
      expected: (kind) => Effect.sync(() => records[kind]),
      change: (kind) => Effect.map(put(kind), () => String(minute)),
      remove: (kind) =>
        Effect.suspend(() => {
          const externalId = "1"
          records.products = records.products.filter(
            (record) => kind !== "products" || record.externalId !== externalId
          )
          records.customers = records.customers.filter(
            (record) => kind !== "customers" || record.externalId !== externalId
          )
          records.orders = records.orders.filter((record) => kind !== "orders" || record.externalId !== externalId)
          records.carts = records.carts.filter((record) => kind !== "carts" || record.externalId !== externalId)
          return Effect.as(script.remove(shop.shopDomain, kind, externalId), externalId)
        }),
      corrupt: (kind) => Effect.as(script.setReadable(shop.shopDomain, kind, "2", false), "2"),
      repair: (kind, externalId) => script.setReadable(shop.shopDomain, kind, externalId, true),
      loseRefresh: script.next(new StoreUnreachable(), "refresh"),
      lostNext: script.next(new StoreUnreachable()),
      delivery: Effect.sync(() => ({
        request: script.deliver(shop.shopDomain, "orders/updated", [
          { kind: "changed", record: "orders", externalId: "2" }
        ]),
        externalId: "2"
      })),
      subscribed: script.subscribed(shop.shopDomain)
    }
  })
).pipe(Layer.provide(MemoryStores.layer))

storePlatformContract("in memory", side)
