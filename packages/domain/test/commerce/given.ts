import type { Money } from "@parley/domain/kernel"
import type { CartRecord, CustomerRecord, LineRecord, OrderRecord, ProductRecord } from "@parley/domain/commerce"
import { DateTime } from "effect"

export const dawn = DateTime.makeUnsafe("2026-03-01T06:00:00Z")

/** This number of minutes after dawn. */
export const at = (minutes: number) => DateTime.add(dawn, { minutes })

export const eur = (amountMinor: number): Money => ({ amountMinor, currency: "EUR" })

export const lineRecord = (overrides: Partial<LineRecord> = {}): LineRecord => ({
  externalProductId: "p1",
  externalVariantId: "v1",
  sku: "BREAD-1",
  title: "Sourdough",
  variantTitle: "Large",
  imageUrl: null,
  quantity: 2,
  currentQuantity: 2,
  unitPrice: eur(450),
  discount: eur(0),
  ...overrides
})

export const orderRecord = (overrides: Partial<OrderRecord> = {}): OrderRecord => ({
  externalId: "o1",
  name: "#1001",
  externalCustomerId: "c1",
  phone: null,
  email: null,
  checkoutToken: null,
  placedAt: dawn,
  cancelledAt: null,
  test: false,
  paymentStatus: "pending",
  fulfilmentStatus: "unfulfilled",
  total: eur(900),
  currentTotal: eur(900),
  tax: eur(63),
  shipping: eur(0),
  discount: eur(0),
  paid: eur(0),
  refunded: eur(0),
  presentmentTotal: eur(900),
  statusUrl: null,
  adminUrl: null,
  lines: [lineRecord()],
  fulfilments: [],
  refunds: [],
  truncated: false,
  updatedAt: dawn,
  ...overrides
})

export const cartRecord = (overrides: Partial<CartRecord> = {}): CartRecord => ({
  externalId: "k1",
  token: "t1",
  externalCustomerId: null,
  phone: "+491701234567",
  email: null,
  lines: [lineRecord()],
  total: eur(900),
  recoveryUrl: null,
  completedAt: null,
  updatedAt: dawn,
  ...overrides
})

export const customerRecord = (overrides: Partial<CustomerRecord> = {}): CustomerRecord => ({
  externalId: "c1",
  name: "Ada Lovelace",
  phones: ["+49 170 1234567"],
  email: "ada@example.com",
  locale: "en",
  tags: [],
  smsConsent: { state: "unknown", at: null },
  chatConsent: { state: "unknown", at: null },
  emailConsent: { state: "unknown", at: null },
  updatedAt: dawn,
  ...overrides
})

export const productRecord = (overrides: Partial<ProductRecord> = {}): ProductRecord => ({
  externalId: "p1",
  title: "Sourdough",
  status: "active",
  url: "https://ada.example/products/sourdough",
  imageUrl: null,
  variants: [{ externalId: "v1", title: "Large", sku: "BREAD-1", price: eur(450), available: true }],
  updatedAt: dawn,
  ...overrides
})

/** The same in another order, which the numbers draw. */
export const shuffled = <A>(all: ReadonlyArray<A>, draws: ReadonlyArray<number>): ReadonlyArray<A> =>
  all
    .map((each, place) => ({ each, draw: draws[place] ?? 0 }))
    .toSorted((one, other) => one.draw - other.draw)
    .map(({ each }) => each)
