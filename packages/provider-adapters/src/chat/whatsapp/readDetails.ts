import type { InboundContent, InboundReferral, OrderedItem, ReportedPricing } from "@parley/domain"
import { at, idAt, listAt, numberAt, textAt } from "../../json.ts"

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
  told: unknown
): { readonly isAdvertisement: boolean; readonly referral: InboundReferral | null } => {
  const referral: InboundReferral = {
    sourceType: textAt(told, "source_type"),
    sourceId: idAt(told, "source_id"),
    sourceUrl: textAt(told, "source_url"),
    headline: textAt(told, "headline"),
    body: textAt(told, "body"),
    mediaType: textAt(told, "media_type"),
    mediaUrl: textAt(told, "image_url") ?? textAt(told, "video_url") ?? textAt(told, "thumbnail_url"),
    clickId: textAt(told, "ctwa_clid")
  }
  return {
    isAdvertisement: referral.clickId !== null || referral.sourceType === "ad",
    referral: Object.values(referral).every((part) => part === null) ? null : referral
  }
}

const longestWord = 100

const wordAt = (value: unknown, key: string) => textAt(value, key)?.slice(0, longestWord).toWellFormed() ?? null

/** Reads the price of a message. The billable flag is required. */
export const pricingIn = (pricing: unknown): ReportedPricing | null => {
  const billable = at(pricing, "billable")
  return typeof billable === "boolean"
    ? {
        billable,
        model: wordAt(pricing, "pricing_model"),
        category: wordAt(pricing, "category"),
        type: wordAt(pricing, "type")
      }
    : null
}
