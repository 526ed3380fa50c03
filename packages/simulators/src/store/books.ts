import type { Money } from "@parley/domain/kernel"
import type { ConsentState } from "@parley/domain/crm"
import type { CartRecord, CustomerRecord, LineRecord, OrderRecord, ProductRecord } from "@parley/domain/commerce"
import { DateTime } from "effect"
import { imageUrlOf, recoveryUrlOf } from "./payloads/index.ts"
import type { Consent as ShopConsent, ShopCheckout, ShopCustomer, ShopLine, ShopOrder, ShopProduct } from "./Records.ts"
import type { Shop } from "./World.ts"

const consentStates = {
  SUBSCRIBED: "subscribed",
  UNSUBSCRIBED: "unsubscribed",
  NOT_SUBSCRIBED: "unknown",
  PENDING: "unknown"
} satisfies Record<ShopConsent["state"], ConsentState>

const at = (time: number) => DateTime.makeUnsafe(time)
const atOrNull = (time: number | null) => (time === null ? null : at(time))
const idOrNull = (id: number | null) => (id === null ? null : String(id))

const consentOf = ({ at: time, state }: ShopConsent) => ({ state: consentStates[state], at: atOrNull(time) })

/** Computes the records that an adapter must read, from the shop's stored records and not from its responses. */
export const makeBooks = (shop: Shop) => {
  const money = (amountMinor: number): Money => ({ amountMinor, currency: shop.currency })

  const customer = (row: ShopCustomer): CustomerRecord => {
    const names = [row.firstName, row.lastName].filter((name) => name !== null)
    return {
      externalId: String(row.id),
      name: names.length === 0 ? null : names.join(" "),
      phones: [row.phone, row.addressPhone].filter((phone) => phone !== null),
      email: row.email,
      locale: row.locale,
      tags: row.tags,
      smsConsent: row.phone === null ? { state: "unknown", at: null } : consentOf(row.sms),
      chatConsent: row.phone === null ? { state: "unknown", at: null } : consentOf(row.whatsApp),
      emailConsent: row.email === null ? { state: "unknown", at: null } : consentOf(row.emails),
      updatedAt: at(row.updatedAt)
    }
  }

  const isKnown = (line: ShopLine) => line.productId !== null && shop.shelves.products.get(line.productId) !== null

  const imageOf = (productId: number | null): string | null => {
    const row = productId === null ? null : shop.shelves.products.get(productId)
    return row === null ? null : imageUrlOf(shop, row)
  }

  const line = (row: ShopLine): LineRecord => ({
    externalProductId: isKnown(row) ? idOrNull(row.productId) : null,
    externalVariantId: isKnown(row) ? idOrNull(row.variantId) : null,
    sku: row.sku,
    title: row.title,
    variantTitle: row.variantTitle,
    imageUrl: imageOf(row.productId),
    quantity: row.quantity,
    currentQuantity: row.currentQuantity,
    unitPrice: money(row.unit),
    discount: money(row.discount)
  })

  const payments = {
    PENDING: "pending",
    AUTHORIZED: "authorized",
    PAID: "paid",
    PARTIALLY_REFUNDED: "partially_refunded",
    REFUNDED: "refunded",
    VOIDED: "voided"
  } satisfies Record<ShopOrder["financial"], OrderRecord["paymentStatus"]>

  const fulfilments = {
    UNFULFILLED: "unfulfilled",
    PARTIALLY_FULFILLED: "partial",
    FULFILLED: "fulfilled",
    ON_HOLD: "other"
  } satisfies Record<ShopOrder["fulfilment"], OrderRecord["fulfilmentStatus"]>

  const parcels = {
    CONFIRMED: "pending",
    IN_TRANSIT: "in_transit",
    DELIVERED: "delivered",
    FAILURE: "failed"
  } satisfies Record<ShopOrder["fulfilments"][number]["status"], OrderRecord["fulfilments"][number]["status"]>

  const order = (row: ShopOrder): OrderRecord => ({
    externalId: String(row.id),
    name: row.name,
    externalCustomerId:
      row.customerId !== null && shop.shelves.customers.get(row.customerId) !== null ? String(row.customerId) : null,
    phone: row.phone,
    email: row.email,
    checkoutToken: row.checkoutToken,
    placedAt: at(row.placedAt),
    cancelledAt: atOrNull(row.cancelledAt),
    test: row.test,
    paymentStatus: payments[row.financial],
    fulfilmentStatus: fulfilments[row.fulfilment],
    total: money(row.total),
    currentTotal: money(row.currentTotal),
    tax: money(row.tax),
    shipping: money(row.shipping),
    discount: money(row.discount),
    paid: money(row.received),
    refunded: money(row.refunds.reduce((sum, { amount }) => sum + amount, 0)),
    presentmentTotal: { amountMinor: row.presentment.total, currency: row.presentment.currency },
    statusUrl: `https://${shop.domain}/${shop.id}/orders/${row.id}`,
    adminUrl: `https://${shop.domain}/admin/orders/${row.id}`,
    lines: row.lines.map(line),
    fulfilments: row.fulfilments.map(({ company, number, status, updatedAt, url }) => ({
      status: parcels[status],
      carrier: company,
      trackingNumber: number,
      trackingUrl: url,
      at: at(updatedAt)
    })),
    refunds: row.refunds.map(({ amount, at: time, id }) => ({
      externalId: String(id),
      amount: money(amount),
      at: at(time)
    })),
    truncated: false,
    updatedAt: at(row.updatedAt)
  })

  const product = (row: ShopProduct): ProductRecord => ({
    externalId: String(row.id),
    title: row.title,
    status: row.status === "ARCHIVED" ? "archived" : row.status === "DRAFT" ? "draft" : "active",
    url: row.status === "ACTIVE" ? `https://${shop.domain}/products/${row.handle}` : null,
    imageUrl: imageUrlOf(shop, row),
    variants: row.variants.map(({ available, id, price, sku, title }) => ({
      externalId: String(id),
      title,
      sku,
      price: money(price),
      available
    })),
    updatedAt: at(row.updatedAt)
  })

  const cart = (row: ShopCheckout): CartRecord => {
    const known = row.customerId === null ? null : shop.shelves.customers.get(row.customerId)
    return {
      externalId: String(row.id),
      token: row.token,
      externalCustomerId: known === null ? null : String(known.id),
      phone: row.phone ?? known?.phone ?? null,
      // The provider returns the email only for customers; deliveries also include it for other people.
      email: known?.email ?? null,
      lines: row.lines.map(line),
      total: money(row.total),
      recoveryUrl: recoveryUrlOf(shop, row),
      completedAt: atOrNull(row.completedAt),
      updatedAt: at(row.updatedAt)
    }
  }

  return {
    customers: () => shop.shelves.customers.all().map(customer),
    orders: () => shop.shelves.orders.all().map(order),
    products: () => shop.shelves.products.all().map(product),
    carts: () => shop.shelves.abandonedCheckouts.all().map(cart)
  }
}
export type Books = ReturnType<typeof makeBooks>
