import type { Currency, Money } from "@parley/domain/kernel"
import {
  type CartRecord,
  type LineRecord,
  type StaleRecordKind,
  zeroMoney,
  parseMoney,
  readShopDomain,
  type Shop,
  type StoreDelivery,
  type StoreDeliveryRequest,
  type StoreSignal
} from "@parley/domain/commerce"
import { Predicate } from "effect"
import { at, listAt, parsedExactly, textAt } from "../../json.ts"
import { mergedNames, mergeIsDone, orderCheckoutToken } from "./assumptions.ts"
import { unreadableReason } from "./collections.ts"
import { countAt, currencyAt, numberOfGid, plainIdAt, timeAt } from "./values.ts"

const decoder = new TextDecoder()

/** Topics about a changed record, with the kind of the record and the fields that can contain its id. */
const changedRecords: ReadonlyMap<string, readonly [StaleRecordKind, ...ReadonlyArray<string>]> = new Map([
  ["orders_create", ["orders", "id"]],
  ["orders_updated", ["orders", "id"]],
  ["orders_paid", ["orders", "id"]],
  ["orders_cancelled", ["orders", "id"]],
  ["orders_fulfilled", ["orders", "id"]],
  ["orders_partially_fulfilled", ["orders", "id"]],
  ["refunds_create", ["orders", "order_id"]],
  ["fulfillments_create", ["orders", "order_id"]],
  ["fulfillments_update", ["orders", "order_id"]],
  ["fulfillment_events_create", ["orders", "order_id"]],
  ["customers_create", ["customers", "id"]],
  ["customers_update", ["customers", "id"]],
  ["customers_marketing_consent_update", ["customers", "id", "customer_id"]],
  ["customers_email_marketing_consent_update", ["customers", "customer_id"]],
  ["products_create", ["products", "id"]],
  ["products_update", ["products", "id"]]
])

const deletedRecords: ReadonlyMap<string, StaleRecordKind> = new Map([
  ["orders_delete", "orders"],
  ["customers_delete", "customers"],
  ["products_delete", "products"]
])

/** The topic as a word: `orders/create`, `orders-create` and `ORDERS_CREATE` are the same. */
const wordOf = (topic: string): string => topic.toLowerCase().replaceAll(/[/-]/gu, "_")

const amountAt = (value: unknown, currency: Currency, name: string): Money | null => {
  const found = at(value, name)
  const text = Predicate.isNumber(found) ? String(found) : Predicate.isString(found) ? found : null
  return text === null ? null : parseMoney(text, currency)
}

/** An amount. A missing field is zero. Another form is an unreadable field. */
const amountIn = (faults: Array<string>, value: unknown, currency: Currency, name: string): Money => {
  const found = amountAt(value, currency, name)
  if (found === null && at(value, name) != null) faults.push(name)
  return found ?? zeroMoney(currency)
}

const discountOf = (line: unknown, currency: Currency): Money =>
  listAt(line, "applied_discounts").reduce<Money>((sum, discount) => {
    const { amountMinor } = amountAt(discount, currency, "amount") ?? zeroMoney(currency)
    const total = sum.amountMinor + Math.abs(amountMinor)
    return Number.isSafeInteger(total) ? { amountMinor: total, currency } : sum
  }, zeroMoney(currency))

const lineIn =
  (faults: Array<string>, currency: Currency) =>
  (line: unknown): LineRecord => {
    const quantity = countAt(line, "quantity")
    return {
      externalProductId: plainIdAt(line, "product_id"),
      externalVariantId: plainIdAt(line, "variant_id"),
      sku: textAt(line, "sku"),
      title: textAt(line, "title") ?? "",
      variantTitle: textAt(line, "variant_title"),
      // Deliveries have no images.
      imageUrl: null,
      quantity,
      currentQuantity: quantity,
      unitPrice: amountIn(faults, line, currency, "price"),
      discount: discountOf(line, currency)
    }
  }

/** A cart of a delivery, or the names of its unreadable fields. Deliveries contain no id from version 2026-04 on, but the token. */
const cartIn = (body: unknown): CartRecord | { readonly faults: ReadonlyArray<string> } => {
  const faults: Array<string> = []
  const token = textAt(body, "token")
  const externalId = plainIdAt(body, "id") ?? token
  const currency = currencyAt(body, "currency")
  const updatedAt = timeAt(body, "updated_at")
  if (externalId === null || currency === null || updatedAt === null) {
    return { faults: [...(currency === null ? ["currency"] : []), ...(updatedAt === null ? ["updated_at"] : [])] }
  }
  const lines = listAt(body, "line_items").map(lineIn(faults, currency))
  const total = amountIn(faults, body, currency, "total_price")
  if (faults.length > 0) return { faults }
  return {
    externalId,
    token,
    externalCustomerId: plainIdAt(body, "customer", "id"),
    phone: textAt(body, "phone") ?? textAt(body, "shipping_address", "phone") ?? textAt(body, "customer", "phone"),
    email: textAt(body, "email") ?? textAt(body, "customer", "email"),
    lines,
    total,
    recoveryUrl: textAt(body, "abandoned_checkout_url"),
    completedAt: timeAt(body, "completed_at"),
    updatedAt
  }
}

/** A cart without an id cannot be requested again, so it is not listed. */
const cartSignals = (body: unknown): ReadonlyArray<StoreSignal> => {
  const cart = cartIn(body)
  if (!("faults" in cart)) return [{ kind: "cart", cart }]
  const externalId = plainIdAt(body, "id")
  return externalId === null
    ? []
    : [{ kind: "unreadable", record: "carts", externalId, reason: unreadableReason(cart.faults) }]
}

const changedIn = (word: string, body: unknown): ReadonlyArray<StoreSignal> | null => {
  const [record, ...names] = changedRecords.get(word) ?? []
  if (record === undefined) return null
  const externalId = names.map((name) => plainIdAt(body, name)).find((id) => id !== null) ?? null
  const token = record === "orders" && names.includes("id") ? textAt(body, orderCheckoutToken) : null
  return [
    ...(externalId === null ? [] : [{ kind: "changed" as const, record, externalId }]),
    ...(token === null ? [] : [{ kind: "cart_completed" as const, token }])
  ]
}

const deletedIn = (word: string, body: unknown): ReadonlyArray<StoreSignal> | null => {
  const record = deletedRecords.get(word)
  if (record === undefined) return null
  const externalId = plainIdAt(body, "id")
  return externalId === null ? [] : [{ kind: "deleted", record, externalId }]
}

/** A merge can also be requested, run or fail. Only a completed merge moves records. After any other report, both customers are read. */
const mergedIn = (body: unknown): ReadonlyArray<StoreSignal> => {
  const keptId = numberOfGid(textAt(body, mergedNames.kept))
  const mergedId = numberOfGid(textAt(body, mergedNames.gone))
  if (keptId === null || mergedId === null) return []
  return mergeIsDone(textAt(body, mergedNames.status))
    ? [{ kind: "customers_merged", keptId, mergedId }]
    : [keptId, mergedId].map((externalId) => ({ kind: "changed", record: "customers", externalId }))
}

const customerOf = (body: unknown) => ({
  externalCustomerId: plainIdAt(body, "customer", "id"),
  phone: textAt(body, "customer", "phone"),
  email: textAt(body, "customer", "email")
})

const idsAt = (body: unknown, name: string): ReadonlyArray<string> =>
  listAt(body, name).flatMap((id) => plainIdAt({ id }, "id") ?? [])

/** A missing list has no meaning. It must not count as a shop that revoked all scopes. */
const scopesIn = (body: unknown): ReadonlyArray<StoreSignal> =>
  Array.isArray(at(body, "current"))
    ? [{ kind: "scopes_changed", scopes: listAt(body, "current").filter((scope) => Predicate.isString(scope)) }]
    : []

const shopIn = (body: unknown): Shop | null => {
  const shopId = plainIdAt(body, "id")
  const shopDomain = readShopDomain(textAt(body, "myshopify_domain") ?? "")
  const name = textAt(body, "name")
  const currency = currencyAt(body, "currency")
  return shopId === null || shopDomain === null || name === null || currency === null
    ? null
    : { shopId, shopDomain, name, currency, country: textAt(body, "country_code") }
}

const otherIn = (
  word: string,
  topic: string,
  request: StoreDeliveryRequest,
  body: unknown
): ReadonlyArray<StoreSignal> => {
  switch (word) {
    case "orders_edited": {
      const externalId = plainIdAt(body, "order_edit", "order_id")
      return externalId === null ? [] : [{ kind: "changed", record: "orders", externalId }]
    }
    case "checkouts_create":
    case "checkouts_update":
      return cartSignals(body)
    case "checkouts_delete": {
      const externalId = plainIdAt(body, "id")
      return externalId === null ? [] : [{ kind: "cart_deleted", externalId }]
    }
    // The id of the export is in its checkpoint, so a report of another export does no harm.
    case "bulk_operations_finish":
      return [{ kind: "export_finished" }]
    case "customers_merge":
      return mergedIn(body)
    case "app_uninstalled":
      return [{ kind: "uninstalled", at: timeAt({ at: request.headers["x-shopify-triggered-at"] }, "at") }]
    case "app_scopes_update":
      return scopesIn(body)
    case "shop_update":
      return [{ kind: "shop_changed", shop: shopIn(body) }]
    case "customers_data_request":
      return [
        {
          kind: "data_request",
          requestId: plainIdAt(body, "data_request", "id"),
          ...customerOf(body),
          externalOrderIds: idsAt(body, "orders_requested")
        }
      ]
    case "customers_redact":
      return [{ kind: "redact_customer", ...customerOf(body), externalOrderIds: idsAt(body, "orders_to_redact") }]
    case "shop_redact":
      return [{ kind: "redact_shop" }]
    default:
      return [{ kind: "unknown", topic }]
  }
}

/** The shop's own id, if the delivery contains it. */
const shopIdIn = (word: string, body: unknown): string | null =>
  word === "shop_update" || word === "app_uninstalled" ? plainIdAt(body, "id") : plainIdAt(body, "shop_id")

/** The relevant headers of a delivery. */
export const deliveryHeaders: ReadonlyArray<string> = [
  "x-shopify-event-id",
  "x-shopify-shop-domain",
  "x-shopify-topic",
  "x-shopify-triggered-at"
]

const longestTopic = 100

/** Reads a delivery. Personal data is read from what asks for it to be found or forgotten only; all else is read from the shop. */
export const decodeDelivery = (topic: string, request: StoreDeliveryRequest): StoreDelivery | null => {
  const { headers } = request
  const body = parsedExactly(decoder.decode(request.body))
  if (!Predicate.isObject(body) || Array.isArray(body)) return null
  const named = (headers["x-shopify-topic"] ?? topic).slice(0, longestTopic)
  const word = wordOf(named)
  const shopDomain = readShopDomain(
    headers["x-shopify-shop-domain"] ?? textAt(body, "shop_domain") ?? textAt(body, "myshopify_domain") ?? ""
  )
  if (shopDomain === null || named === "") return null
  return {
    shopDomain,
    shopId: shopIdIn(word, body),
    topic: named,
    eventId: headers["x-shopify-event-id"] ?? null,
    signals: changedIn(word, body) ?? deletedIn(word, body) ?? otherIn(word, named, request, body)
  }
}
