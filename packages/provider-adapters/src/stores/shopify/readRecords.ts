import type { Currency } from "@parley/domain/kernel"
import {
  type CartRecord,
  type CustomerRecord,
  type Fulfilment,
  type FulfilmentStatus,
  type LineRecord,
  type OrderRecord,
  type ParcelStatus,
  parseMoney,
  type PaymentStatus,
  type ProductRecord,
  type RecordKind,
  recordLimits,
  type RefundRecord,
  type ShopConsent,
  type StoreRecords
} from "@parley/domain/commerce"
import { Predicate } from "effect"
import { at, listAt, textAt } from "../../json.ts"
import { checkoutTokenIn, orderAdminUrl } from "./assumptions.ts"
import { countAt, currencyAt, type Fields, fieldsOf, gidAt, moneyAt, timeAt } from "./values.ts"

/** A received record, and the list inside it up to the stored maximum. */
export interface Raw {
  readonly node: unknown
  readonly inside: ReadonlyArray<unknown>
  /** Whether there is more inside. */
  readonly hasMore: boolean
}

/** The facts of a shop that its records depend on. */
export interface ShopFacts {
  readonly currency: Currency
  readonly shopDomain: string
}

/** A record, or the names of the unreadable required fields. */
export type ReadResult<A> = { readonly record: A } | { readonly faults: ReadonlyArray<string> }

/** Returns the record if all its fields are readable. */
const resultOf = <A>({ faults }: Fields, record: A): ReadResult<A> => (faults.length > 0 ? { faults } : { record })

const consentOf = (state: string | null, at: ShopConsent["at"]): ShopConsent => {
  switch (state) {
    case "SUBSCRIBED":
      return { state: "subscribed", at }
    case "UNSUBSCRIBED":
      return { state: "unsubscribed", at }
    default:
      return { state: "unknown", at }
  }
}

const consentIn = (given: unknown): ShopConsent =>
  consentOf(textAt(given, "marketingState"), timeAt(given, "marketingUpdatedAt"))

/** The consent of an own object, from 2026-10 on. */
const ownConsentIn = (consent: unknown): ShopConsent =>
  consentOf(textAt(consent, "state"), timeAt(consent, "updatedAt"))

/** The SMS consent of a phone number. Versions before 2026-10 return it in the fields of the number. */
const smsConsentIn = (number: unknown): ShopConsent => {
  const consent = at(number, "smsMarketingConsent")
  return consent == null ? consentIn(number) : ownConsentIn(consent)
}

const texts = (values: ReadonlyArray<unknown>): ReadonlyArray<string> =>
  values.filter((value) => Predicate.isString(value) && value !== "").map(String)

const nameIn = (node: unknown): string | null => {
  const names = texts([at(node, "firstName"), at(node, "lastName")])
  return names.length === 0 ? null : names.join(" ")
}

const customerIn = ({ node }: Raw): ReadResult<CustomerRecord> => {
  const fields = fieldsOf(node)
  const externalId = fields.id()
  const updatedAt = fields.time("updatedAt")
  if (externalId === null || updatedAt === null) return fields
  return resultOf(fields, {
    externalId,
    name: nameIn(node),
    phones: texts([at(node, "defaultPhoneNumber", "phoneNumber"), at(node, "defaultAddress", "phone")]),
    email: textAt(node, "defaultEmailAddress", "emailAddress"),
    locale: textAt(node, "locale"),
    tags: texts(listAt(node, "tags")),
    smsConsent: smsConsentIn(at(node, "defaultPhoneNumber")),
    chatConsent: ownConsentIn(at(node, "defaultPhoneNumber", "whatsAppMarketingConsent")),
    emailConsent: consentIn(at(node, "defaultEmailAddress")),
    updatedAt
  })
}

const lineIn =
  (fields: Fields, currency: Currency) =>
  (line: unknown): LineRecord => {
    const quantity = countAt(line, "quantity")
    return {
      externalProductId: gidAt(line, "product", "id"),
      externalVariantId: gidAt(line, "variant", "id"),
      sku: textAt(line, "sku"),
      title: textAt(line, "title") ?? "",
      variantTitle: textAt(line, "variantTitle"),
      imageUrl: textAt(line, "image", "url"),
      quantity,
      currentQuantity: at(line, "currentQuantity") === undefined ? quantity : countAt(line, "currentQuantity"),
      unitPrice: fields.shopMoney(line, currency, "originalUnitPriceSet"),
      discount: discountIn(fields, line, currency, quantity)
    }
  }

/** Orders state the discount of a line, carts the discounted price. */
const discountIn = (fields: Fields, line: unknown, currency: Currency, quantity: number) => {
  if (at(line, "discountedTotalPriceSet") == null) return fields.shopMoney(line, currency, "totalDiscountSet")
  const left = fields.shopMoney(line, currency, "discountedTotalPriceSet")
  const { amountMinor } = fields.shopMoney(line, currency, "originalUnitPriceSet")
  return { amountMinor: Math.max(0, amountMinor * quantity - left.amountMinor), currency }
}

const payments: ReadonlyMap<string, PaymentStatus> = new Map([
  ["AUTHORIZED", "authorized"],
  ["EXPIRED", "expired"],
  ["PAID", "paid"],
  ["PARTIALLY_PAID", "partially_paid"],
  ["PARTIALLY_REFUNDED", "partially_refunded"],
  ["REFUNDED", "refunded"],
  ["VOIDED", "voided"]
])

const fulfilments: ReadonlyMap<string, FulfilmentStatus> = new Map([
  ["FULFILLED", "fulfilled"],
  ["PARTIALLY_FULFILLED", "partial"],
  ["OPEN", "unfulfilled"],
  ["UNFULFILLED", "unfulfilled"]
])

const parcels: ReadonlyMap<string, ParcelStatus> = new Map([
  ["DELIVERED", "delivered"],
  ["PICKED_UP", "delivered"],
  ["CANCELED", "failed"],
  ["FAILURE", "failed"],
  ["NOT_DELIVERED", "failed"],
  ["LABEL_VOIDED", "failed"],
  ["CONFIRMED", "pending"],
  ["LABEL_PRINTED", "pending"],
  ["LABEL_PURCHASED", "pending"],
  ["READY_FOR_PICKUP", "pending"],
  ["SUBMITTED", "pending"],
  ["ATTEMPTED_DELIVERY", "in_transit"],
  ["CARRIER_PICKED_UP", "in_transit"],
  ["DELAYED", "in_transit"],
  ["FULFILLED", "in_transit"],
  ["IN_TRANSIT", "in_transit"],
  ["MARKED_AS_FULFILLED", "in_transit"],
  ["OUT_FOR_DELIVERY", "in_transit"]
])

const parcelIn = (parcel: unknown): ReadonlyArray<Fulfilment> => {
  const at = timeAt(parcel, "updatedAt")
  if (at === null) return []
  const [tracking] = listAt(parcel, "trackingInfo")
  return [
    {
      status: parcels.get(textAt(parcel, "displayStatus") ?? "") ?? "pending",
      carrier: textAt(tracking, "company"),
      trackingNumber: textAt(tracking, "number"),
      trackingUrl: textAt(tracking, "url"),
      at
    }
  ]
}

/** A refund without a time is not processed yet. A refund with a time has an amount. */
const refundIn =
  (fields: Fields, currency: Currency) =>
  (refund: unknown): ReadonlyArray<RefundRecord> => {
    const externalId = gidAt(refund, "id")
    const at = timeAt(refund, "processedAt")
    return externalId === null || at === null
      ? []
      : [{ externalId, amount: fields.shopMoney(refund, currency, "totalRefundedSet"), at }]
  }

const orderIn = ({ hasMore, inside, node }: Raw, { shopDomain }: ShopFacts): ReadResult<OrderRecord> => {
  const fields = fieldsOf(node)
  const externalId = fields.id()
  const updatedAt = fields.time("updatedAt")
  const placedAt = fields.time("processedAt")
  const total = fields.money("totalPriceSet")
  if (externalId === null || updatedAt === null || placedAt === null || total === null) return fields
  const { currency } = total
  const of = (name: string) => fields.shopMoney(node, currency, name)
  const refunds = listAt(node, "refunds")
  const sent = listAt(node, "fulfillments")
  return resultOf(fields, {
    externalId,
    name: textAt(node, "name") ?? "",
    externalCustomerId: gidAt(node, "customer", "id"),
    phone: textAt(node, "phone"),
    email: textAt(node, "email"),
    checkoutToken: textAt(node, "checkoutToken"),
    placedAt,
    cancelledAt: timeAt(node, "cancelledAt"),
    test: at(node, "test") === true,
    paymentStatus: payments.get(textAt(node, "displayFinancialStatus") ?? "") ?? "pending",
    fulfilmentStatus: fulfilments.get(textAt(node, "displayFulfillmentStatus") ?? "") ?? "other",
    total,
    currentTotal: of("currentTotalPriceSet"),
    tax: of("totalTaxSet"),
    shipping: of("totalShippingPriceSet"),
    discount: of("totalDiscountsSet"),
    paid: of("totalReceivedSet"),
    refunded: of("totalRefundedSet"),
    presentmentTotal: moneyAt(node, "totalPriceSet", "presentmentMoney") ?? total,
    statusUrl: textAt(node, "statusPageUrl"),
    adminUrl: orderAdminUrl(shopDomain, externalId),
    lines: inside.map(lineIn(fields, currency)),
    fulfilments: sent.slice(0, recordLimits.fulfilments).flatMap(parcelIn),
    refunds: refunds.slice(0, recordLimits.refunds).flatMap(refundIn(fields, currency)),
    truncated: hasMore || sent.length > recordLimits.fulfilments || refunds.length > recordLimits.refunds,
    updatedAt
  })
}

const statusIn = (node: unknown): ProductRecord["status"] => {
  switch (textAt(node, "status")) {
    case "ARCHIVED":
      return "archived"
    case "DRAFT":
      return "draft"
    default:
      return "active"
  }
}

const variantIn =
  ({ faults }: Fields, currency: Currency) =>
  (variant: unknown): ProductRecord["variants"] => {
    const externalId = gidAt(variant, "id")
    const price = parseMoney(textAt(variant, "price") ?? "", currency)
    if (externalId === null || price === null) {
      faults.push(externalId === null ? "variants.id" : "variants.price")
      return []
    }
    const title = textAt(variant, "title") ?? ""
    return [
      { externalId, title, sku: textAt(variant, "sku"), price, available: at(variant, "availableForSale") === true }
    ]
  }

const productIn = ({ inside, node }: Raw, { currency }: ShopFacts): ReadResult<ProductRecord> => {
  const fields = fieldsOf(node)
  const externalId = fields.id()
  const updatedAt = fields.time("updatedAt")
  if (externalId === null || updatedAt === null) return fields
  const variants = inside.flatMap(variantIn(fields, currency))
  return resultOf(fields, {
    externalId,
    title: textAt(node, "title") ?? "",
    status: statusIn(node),
    url: textAt(node, "onlineStoreUrl"),
    imageUrl: textAt(node, "featuredMedia", "preview", "image", "url"),
    variants,
    updatedAt
  })
}

const cartIn = ({ inside, node }: Raw): ReadResult<CartRecord> => {
  const fields = fieldsOf(node)
  const externalId = fields.id()
  const updatedAt = fields.time("updatedAt")
  const total = fields.money("totalPriceSet")
  if (externalId === null || updatedAt === null || total === null) return fields
  const recoveryUrl = textAt(node, "abandonedCheckoutUrl")
  return resultOf(fields, {
    externalId,
    token: recoveryUrl === null ? null : checkoutTokenIn(recoveryUrl),
    externalCustomerId: gidAt(node, "customer", "id"),
    phone: textAt(node, "shippingAddress", "phone") ?? textAt(node, "customer", "defaultPhoneNumber", "phoneNumber"),
    email: textAt(node, "customer", "defaultEmailAddress", "emailAddress"),
    lines: inside.map(lineIn(fields, total.currency)),
    total,
    recoveryUrl,
    completedAt: timeAt(node, "completedAt"),
    updatedAt
  })
}

/** Record readers by kind. */
export const readers: {
  readonly [Kind in RecordKind]: (raw: Raw, shop: ShopFacts) => ReadResult<StoreRecords[Kind]>
} = {
  products: productIn,
  customers: customerIn,
  orders: orderIn,
  carts: cartIn
}

/** The currency of the shop, which comes with every answer. */
export const shopCurrencyIn = (data: unknown): Currency | null => currencyAt(data, "shop", "currencyCode")
