import {
  type CartRecord,
  type CustomerRecord,
  type LineRecord,
  type Money,
  type OrderRecord,
  type ProductRecord,
  readShopDomain,
  type RecordKind,
  type StorePlatform,
  StorePlatforms,
  type StoreRecords,
  StoreRefused,
  StoreSettings
} from "@parley/domain"
import { DateTime, Effect, Layer, Redacted } from "effect"

/** Amounts of the shop. */
export interface ShopSize {
  readonly products: number
  readonly customers: number
  readonly orders: number
}

export const shopDomain = "generated.myshopify.com"

/** The amount that Shopify's adapter reads of a file at a time: half a megabyte. */
const pageSizes = { products: 500, customers: 800, orders: 250, carts: 250 } as const

const begins = DateTime.makeUnsafe("2024-01-01T00:00:00Z")

const at = (index: number) => DateTime.add(begins, { minutes: index % 500_000 })

const eur = (amountMinor: number): Money => ({ amountMinor, currency: "EUR" })

const productAt = (index: number): ProductRecord => ({
  externalId: `p${index}`,
  title: `Product ${index}`,
  status: "active",
  url: `https://generated.example/products/${index}`,
  imageUrl: null,
  variants: [{ externalId: `v${index}`, title: "Large", sku: `SKU-${index}`, price: eur(1_999), available: true }],
  updatedAt: at(index)
})

/** Nine of ten have a phone number that is valid. */
export const customerAt = (index: number): CustomerRecord => ({
  externalId: `c${index}`,
  name: `Customer ${index}`,
  phones: index % 10 === 9 ? [] : [`+49151${String(10_000_000 + index)}`],
  email: `customer.${index}@example.com`,
  locale: "de",
  tags: index % 4 === 0 ? ["VIP"] : [],
  smsConsent: { state: "unknown", at: null },
  chatConsent: { state: "unknown", at: null },
  emailConsent: { state: "unknown", at: null },
  updatedAt: at(index)
})

const lineAt = (index: number, place: number, { products }: ShopSize): LineRecord => {
  const product = (index * 7 + place) % products
  return {
    externalProductId: `p${product}`,
    externalVariantId: `v${product}`,
    sku: `SKU-${product}`,
    title: `Product ${product}`,
    variantTitle: "Large",
    imageUrl: null,
    quantity: 1,
    currentQuantity: 1,
    unitPrice: eur(1_999),
    discount: eur(0)
  }
}

/** One to three lines each, and a parcel. Nine of ten belong to a known customer. */
export const orderAt = (index: number, size: ShopSize): OrderRecord => {
  const lines = Array.from({ length: 1 + (index % 3) }, (_, place) => lineAt(index, place, size))
  const total = eur(1_999 * lines.length + 490)
  return {
    externalId: `o${index}`,
    name: `#${index}`,
    externalCustomerId: index % 10 === 0 ? null : `c${(index * 7_919) % size.customers}`,
    phone: null,
    email: index % 10 === 0 ? `guest.${index}@example.com` : null,
    checkoutToken: `cart${index}`,
    placedAt: at(index),
    cancelledAt: null,
    test: false,
    paymentStatus: "paid",
    fulfilmentStatus: "fulfilled",
    total,
    currentTotal: total,
    tax: eur(380),
    shipping: eur(490),
    discount: eur(0),
    paid: total,
    refunded: eur(0),
    presentmentTotal: total,
    statusUrl: `https://generated.example/orders/${index}`,
    adminUrl: null,
    lines,
    fulfilments: [
      { status: "delivered", carrier: "DHL", trackingNumber: `TN${index}`, trackingUrl: null, at: at(index + 60) }
    ],
    refunds: [],
    truncated: false,
    updatedAt: at(index + 90)
  }
}

const partOf = <Record>(
  kind: RecordKind,
  checkpoint: string | null,
  total: number,
  make: (index: number) => Record
) => {
  const from = Number(checkpoint ?? 0)
  const end = Math.min(total, from + pageSizes[kind])
  return {
    records: Array.from({ length: end - from }, (_, place) => make(from + place)),
    unreadable: [],
    checkpoint: end < total ? String(end) : null,
    total
  }
}

const refused = new StoreRefused({
  remedy: "give_up",
  code: "NOT_HERE",
  reason: "Nobody asks that here.",
  retryAfterMillis: null
})

const scopes = ["read_customers", "read_orders", "read_products", "read_all_orders"]

const platformOf = (size: ShopSize): StorePlatform => {
  const parts: {
    readonly [Kind in RecordKind]: (checkpoint: string | null) => ReturnType<typeof partOf<StoreRecords[Kind]>>
  } = {
    products: (checkpoint) => partOf("products", checkpoint, size.products, productAt),
    customers: (checkpoint) => partOf("customers", checkpoint, size.customers, customerAt),
    orders: (checkpoint) => partOf("orders", checkpoint, size.orders, (index) => orderAt(index, size)),
    carts: (checkpoint) =>
      partOf<CartRecord>("carts", checkpoint, 0, () => Effect.runSync(Effect.die("There is no cart.")))
  }
  return {
    scopes,
    readerVersion: "1",
    authorizeUrl: (shop, state) => `https://${shop}/authorize?state=${encodeURIComponent(Redacted.value(state))}`,
    readCallback: ({ state }) => {
      const domain = readShopDomain(shopDomain)
      const now = DateTime.nowUnsafe()
      return domain === null || state === undefined
        ? null
        : { shopDomain: domain, state, at: now, code: Redacted.make("code") }
    },
    exchange: () =>
      Effect.succeed({
        accessToken: Redacted.make("access"),
        expiresAt: null,
        refreshToken: null,
        refreshExpiresAt: null,
        scopes
      }),
    refresh: () => Effect.fail(refused),
    uninstall: () => Effect.void,
    shop: (access) =>
      Effect.succeed({
        shopId: "generated",
        shopDomain: access.shopDomain,
        name: "Generated",
        currency: "EUR",
        country: "DE"
      }),
    export: (_access, kind, checkpoint) => Effect.sync(() => parts[kind](checkpoint)),
    changedSince: () => Effect.succeed({ records: [], unreadable: [], checkpoint: null, total: 0 }),
    read: () => Effect.fail(refused),
    subscribe: () => Effect.void,
    isSigned: () => false,
    deliveryHeaders: [],
    decode: () => null
  }
}

/** A shop of any size without storage: each record is derived from its number. */
export const layerGeneratedShop = (size: ShopSize) =>
  Layer.mergeAll(
    Layer.succeed(StorePlatforms, new Map([["shopify", platformOf(size)]])),
    Layer.succeed(StoreSettings, { publicUrl: "https://parley.example", returnOrigins: [] })
  )
