import type {
  Forwarding,
  InboundContent,
  InboundReferral,
  OrderedItem,
  ReferredProduct,
  ReportedPricing
} from "@parley/domain/messaging"
import { Predicate } from "effect"
import { at, idAt, listAt, numberAt, storableText, textAt } from "../../json.ts"
import { timeAt } from "./readPlace.ts"

const digits = /^\d{5,20}$/u

/** Returns a phone number with a plus; `null` if invalid. */
export const phoneIn = (digitsOnly: string | null): string | null => {
  const number = digitsOnly?.replace(/^\+/u, "") ?? ""
  return digits.test(number) ? `+${number}` : null
}

const currencyForm = /^[A-Z]{3}$/u

/** Number of decimal digits of a currency. */
const digitsOf = (currency: string) =>
  new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2

const amountForm = /^\d{1,12}(?:\.\d{1,6})?$/u

/** Reads a number that the provider writes as a number or a text. */
const amountAt = (value: unknown, key: string): number | null => {
  const text = textAt(value, key)
  return text === null ? numberAt(value, key) : amountForm.test(text) ? Number(text) : null
}

const priceIn = (item: unknown): OrderedItem["price"] => {
  const amount = amountAt(item, "item_price")
  const currency = textAt(item, "currency")
  if (amount === null || amount < 0 || currency === null || !currencyForm.test(currency)) return null
  const amountMinor = Math.round(amount * 10 ** digitsOf(currency))
  return Number.isSafeInteger(amountMinor) ? { amountMinor, currency } : null
}

const itemIn = (item: unknown): ReadonlyArray<OrderedItem> => {
  const productId = idAt(item, "product_retailer_id")
  const quantity = amountAt(item, "quantity")
  return productId === null || quantity === null || !Number.isSafeInteger(quantity) || quantity < 0
    ? []
    : [{ productId, quantity, price: priceIn(item) }]
}

const mostItems = 1_000

/** Reads an order; `null` for an order without items. */
export const orderIn = (order: unknown): InboundContent | null => {
  const items = listAt(order, "product_items").slice(0, mostItems).flatMap(itemIn)
  return items.length === 0
    ? null
    : { kind: "order", catalogId: idAt(order, "catalog_id"), note: textAt(order, "text"), items }
}

/** Reads the advertisement or post that a message came from, and whether it is an advertisement. */
export const referralIn = (
  value: unknown
): { readonly isAdvertisement: boolean; readonly referral: InboundReferral | null } => {
  const referral: InboundReferral = {
    sourceType: textAt(value, "source_type"),
    sourceId: idAt(value, "source_id"),
    sourceUrl: textAt(value, "source_url"),
    headline: textAt(value, "headline"),
    body: textAt(value, "body"),
    mediaType: textAt(value, "media_type"),
    mediaUrl: textAt(value, "image_url") ?? textAt(value, "video_url") ?? textAt(value, "thumbnail_url"),
    clickId: textAt(value, "ctwa_clid"),
    welcomeText: textAt(value, "welcome_message", "text")
  }
  return {
    isAdvertisement: referral.clickId !== null || referral.sourceType === "ad",
    referral: Object.values(referral).every((part) => part === null) ? null : referral
  }
}

const longestWord = 100

const wordAt = (value: unknown, key: string) => storableText(textAt(value, key) ?? "", longestWord) || null

/** End of a free entry point. Since version 24 the provider reports a conversation only within one; before, its origin tells. */
const freeEntryPointIn = (receipt: unknown) =>
  textAt(receipt, "conversation", "origin", "type") === "referral_conversion" ||
  textAt(receipt, "pricing", "type") === "free_entry_point"
    ? timeAt(receipt, "conversation", "expiration_timestamp")
    : null

/** Reads the price of a message from its status. Unknown values stay as they are. */
export const pricingIn = (receipt: unknown): ReportedPricing | null => {
  const pricing = at(receipt, "pricing")
  const billable = at(pricing, "billable")
  const expiresAt = freeEntryPointIn(receipt)
  const read = {
    billable: typeof billable === "boolean" ? billable : null,
    model: wordAt(pricing, "pricing_model"),
    category: wordAt(pricing, "category"),
    type: wordAt(pricing, "type")
  }
  if (expiresAt !== null) return { ...read, freeEntryPointExpiresAt: expiresAt }
  return Predicate.isObject(pricing) && Object.values(read).some((value) => value !== null) ? read : null
}

/** Reads how often the message was forwarded before. */
export const forwardingIn = (context: unknown): Forwarding | null => {
  if (at(context, "frequently_forwarded") === true) return "frequently_forwarded"
  return at(context, "forwarded") === true ? "forwarded" : null
}

/** Reads the product that a message asks about. */
export const productIn = (context: unknown): ReferredProduct | null => {
  const productId = idAt(context, "referred_product", "product_retailer_id")
  return productId === null ? null : { catalogId: idAt(context, "referred_product", "catalog_id"), productId }
}
