import type { Generated } from "./Catalog.ts"
import { decimalsOf } from "./money.ts"
import { type Draw, drawing } from "./draw.ts"
import type { SimulatedShop } from "./Options.ts"
import type { Consent, ShopCheckout, ShopCustomer, ShopLine, ShopOrder, ShopProduct, ShopVariant } from "./Records.ts"

const firstNames = [
  "Ada",
  "Alan",
  "Barbara",
  "Carl",
  "Edsger",
  "Frances",
  "Grace",
  "Hedy",
  "Joan",
  "Ken",
  "Leslie",
  "Margaret"
]
const lastNames = [
  "Allen",
  "Clarke",
  "Dijkstra",
  "Gauss",
  "Hamilton",
  "Hopper",
  "Lamarr",
  "Liskov",
  "Lovelace",
  "Thompson",
  "Turing"
]
const adjectives = ["Blue", "Green", "Heavy", "Light", "Little", "Quiet", "Round", "Soft", "Striped", "Warm"]
const things = ["Basket", "Blanket", "Bowl", "Candle", "Cup", "Jacket", "Lamp", "Scarf", "Shirt", "Vase"]
const sizes = ["S", "M", "L"]

const day = 86_400_000
const second = 1_000

const pick = <A>(draw: number, list: readonly [A, ...ReadonlyArray<A>] | ReadonlyArray<A>, otherwise: A): A =>
  list[Math.floor(draw * list.length)] ?? otherwise

const wholeSecond = (time: number) => Math.floor(time / second) * second

/** First record number of a shop, by the number of the shop. */
export const firstIds = (shop: number) => {
  const first = 1 + shop * 100_000_000_000
  return {
    customers: 7_000_000_000_000 + first,
    orders: 5_000_000_000_000 + first,
    products: 8_000_000_000_000 + first,
    abandonedCheckouts: 3_000_000_000_000 + first
  }
}

/** The parts of a sum that add up to what a customer owes. */
export const totalsOf = (lines: ReadonlyArray<ShopLine>, free: boolean, scale: number) => {
  const goods = lines.reduce((sum, line) => sum + line.unit * line.quantity - line.discount, 0)
  const shipping = free ? 0 : Math.round(490 * scale)
  const tax = Math.round(goods * 0.19)
  const discount = lines.reduce((sum, line) => sum + line.discount, 0)
  return { shipping, tax, discount, total: goods + shipping + tax }
}

const consentOf = (draw: number, at: number): Consent => {
  if (draw < 0.4) return { state: "SUBSCRIBED", at }
  return draw < 0.5 ? { state: "UNSUBSCRIBED", at } : { state: "NOT_SUBSCRIBED", at: null }
}

/** Generates the records of a shop, each from its number. All shops have the same people. */
export const generating = (shop: SimulatedShop, number: number, startAt: number) => {
  const draw: Draw = drawing(shop.seed ?? shop.domain)
  const people: Draw = drawing("people")
  const ids = firstIds(number)
  const history = shop.historyMillis ?? 365 * day
  const counts = {
    customers: shop.customers ?? 0,
    orders: shop.orders ?? 0,
    products: shop.products ?? 0,
    abandonedCheckouts: shop.abandonedCheckouts ?? 0
  }
  const scale = 10 ** decimalsOf(shop.currency ?? "EUR") / 100

  // Change times are at least one hour before the start and never decrease with the record number.
  const timeOf = (index: number, count: number) =>
    wholeSecond(startAt - 3_600_000 - Math.floor(((count - index) / count) * history))

  const product = (index: number): ShopProduct => {
    const at = timeOf(index, counts.products)
    const title = `${pick(draw(1, index, 1), adjectives, "Plain")} ${pick(draw(1, index, 2), things, "Thing")} ${index + 1}`
    const id = ids.products + index
    const price = Math.max(1, Math.round((5 + Math.floor(draw(1, index, 3) * 150)) * 100 * scale - scale))
    const many = 1 + Math.floor(draw(1, index, 4) * sizes.length)
    const variants = Array.from({ length: many }, (_, place): ShopVariant => {
      const size = sizes[place] ?? "XL"
      return {
        id: id * 10 + place,
        title: many === 1 ? "Default Title" : size,
        sku: `SKU-${index + 1}-${size}`,
        price: Math.round(price * (1 + place / 10)),
        available: draw(1, index, 5, place) < 0.9
      }
    })
    return {
      id,
      title,
      handle: title.toLowerCase().replaceAll(" ", "-"),
      status: draw(1, index, 6) < 0.9 ? "ACTIVE" : "DRAFT",
      variants,
      createdAt: at,
      updatedAt: at
    }
  }

  const customer = (index: number): ShopCustomer => {
    const at = timeOf(index, counts.customers)
    const firstName = pick(people(2, index, 1), firstNames, "Ada")
    const lastName = pick(people(2, index, 2), lastNames, "Lovelace")
    const number = `+491512${String(index % 10_000_000).padStart(7, "0")}`
    const hasPhone = people(2, index, 3)
    return {
      id: ids.customers + index,
      firstName,
      lastName,
      phone: hasPhone < 0.6 ? number : null,
      addressPhone: hasPhone >= 0.6 && hasPhone < 0.8 ? `0${number.slice(3)}` : null,
      email: people(2, index, 4) < 0.9 ? `${firstName}.${lastName}.${index}@example.com`.toLowerCase() : null,
      locale: "de-DE",
      tags: draw(2, index, 5) < 0.1 ? ["VIP", "newsletter"] : [],
      sms: hasPhone < 0.6 ? consentOf(draw(2, index, 6), at) : { state: "NOT_SUBSCRIBED", at: null },
      // Some shops collect the consent to WhatsApp apart from the one to SMS.
      whatsApp: hasPhone < 0.2 ? consentOf(draw(2, index, 16), at) : { state: "NOT_SUBSCRIBED", at: null },
      emails: consentOf(draw(2, index, 7), at),
      createdAt: at,
      updatedAt: at
    }
  }

  const linesOf = (kind: number, index: number, id: number): ReadonlyArray<ShopLine> => {
    if (counts.products === 0) return []
    return Array.from({ length: 1 + Math.floor(draw(kind, index, 1) ** 3 * 4) }, (_, place): ShopLine => {
      const bought = product(Math.floor(draw(kind, index, 2, place) * counts.products))
      const variant = pick(draw(kind, index, 3, place), bought.variants, bought.variants[0] ?? null)
      const quantity = 1 + Math.floor(draw(kind, index, 4, place) ** 4 * 5)
      const unit = variant?.price ?? 0
      return {
        id: id * 10 + place,
        productId: bought.id,
        variantId: variant?.id ?? null,
        sku: variant?.sku ?? null,
        title: bought.title,
        variantTitle: variant?.title ?? null,
        quantity,
        currentQuantity: quantity,
        unit,
        discount: draw(kind, index, 5, place) < 0.1 ? Math.floor(unit / 10) : 0
      }
    })
  }

  const buyerOf = (kind: number, index: number) => {
    if (counts.customers > 0 && draw(kind, index, 6) < 0.9) {
      const { email, id, phone } = customer(Math.floor(draw(kind, index, 7) * counts.customers))
      return { customerId: id, phone, email }
    }
    const isReachable = draw(kind, index, 8) < 0.5
    return {
      customerId: null,
      phone: isReachable ? `+491520${String(index % 10_000_000).padStart(7, "0")}` : null,
      email: `guest.${index}@example.com`
    }
  }

  const paymentOf = (draw: number, total: number, id: number, at: number) => {
    const refund = (amount: number) => [{ id: id * 10, amount, at }]
    if (draw < 0.85) return { financial: "PAID" as const, received: total, refunds: [] }
    if (draw < 0.9) return { financial: "PENDING" as const, received: 0, refunds: [] }
    if (draw < 0.92) return { financial: "VOIDED" as const, received: 0, refunds: [] }
    if (draw < 0.96) return { financial: "REFUNDED" as const, received: total, refunds: refund(total) }
    return { financial: "PARTIALLY_REFUNDED" as const, received: total, refunds: refund(Math.floor(total / 2)) }
  }

  const order = (index: number): ShopOrder => {
    const id = ids.orders + index
    const at = timeOf(index, counts.orders)
    const lines = linesOf(3, index, id)
    const { discount, shipping, tax, total } = totalsOf(lines, draw(3, index, 9) < 0.3, scale)
    const payment = paymentOf(draw(3, index, 10), total, id, at)
    const isSent = payment.financial === "PAID" && draw(3, index, 11) < 0.9
    const other = draw(3, index, 12) < 0.05 ? { currency: "USD", total: Math.round((total / scale) * 1.1) } : null
    return {
      id,
      name: `#${1001 + index}`,
      ...buyerOf(3, index),
      checkoutToken: `order${id.toString(36)}`,
      placedAt: at,
      updatedAt: at,
      cancelledAt: payment.financial === "VOIDED" ? at : null,
      test: draw(3, index, 13) < 0.01,
      ...payment,
      fulfilment: isSent ? "FULFILLED" : "UNFULFILLED",
      lines,
      shipping,
      tax,
      discount,
      total,
      currentTotal: payment.financial === "REFUNDED" ? 0 : total,
      fulfilments: isSent
        ? [
            {
              id: id * 10 + 1,
              status: draw(3, index, 14) < 0.8 ? "DELIVERED" : "IN_TRANSIT",
              company: "DHL",
              number: `JD${id}`,
              url: `https://track.example.com/JD${id}`,
              createdAt: at,
              updatedAt: at
            }
          ]
        : [],
      presentment: other ?? { currency: shop.currency ?? "EUR", total }
    }
  }

  const checkout = (index: number): ShopCheckout => {
    const id = ids.abandonedCheckouts + index
    const at = timeOf(index, counts.abandonedCheckouts)
    const lines = linesOf(4, index, id)
    return {
      id,
      token: `cart${id.toString(36)}`,
      ...buyerOf(4, index),
      lines,
      total: totalsOf(lines, true, scale).total,
      createdAt: at,
      updatedAt: at,
      completedAt: null
    }
  }

  return {
    scale,
    draw,
    customers: { count: counts.customers, firstId: ids.customers, make: customer } satisfies Generated<ShopCustomer>,
    orders: { count: counts.orders, firstId: ids.orders, make: order } satisfies Generated<ShopOrder>,
    products: { count: counts.products, firstId: ids.products, make: product } satisfies Generated<ShopProduct>,
    abandonedCheckouts: {
      count: counts.abandonedCheckouts,
      firstId: ids.abandonedCheckouts,
      make: checkout
    } satisfies Generated<ShopCheckout>
  }
}
