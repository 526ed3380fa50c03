import type { CartRecord } from "./CartRecord.ts"
import type { CustomerRecord } from "./CustomerRecord.ts"
import type { LineRecord } from "./LineRecord.ts"
import { recordLimits } from "./limits.ts"
import type { Fulfilment, OrderRecord } from "./OrderRecord.ts"
import type { ProductRecord } from "./ProductRecord.ts"

/** A text of a shop as it can be kept and shown: no half characters, no NUL, and not too long. */
export const cutText = (text: string): string => {
  const plain = text.toWellFormed().replaceAll("\0", "")
  return plain.length <= recordLimits.text ? plain : Array.from(plain).slice(0, recordLimits.text).join("")
}

const cutOrNull = (text: string | null): string | null => (text === null ? null : cutText(text))

const https = /^https:\/\/[a-z0-9.-]+(?::\d{1,5})?(?:[/?#][^\s\p{Cc}]*)?$/iu

/** An address that can be shown as a link; one of any other scheme, or too long to be whole, is none. */
export const httpsUrl = (text: string | null): string | null =>
  text !== null && text.length <= recordLimits.url && text.isWellFormed() && https.test(text) ? text : null

const cutLine = (line: LineRecord): LineRecord => ({
  ...line,
  sku: cutOrNull(line.sku),
  title: cutText(line.title),
  variantTitle: cutOrNull(line.variantTitle)
})

const cutFulfilment = (fulfilment: Fulfilment): Fulfilment => ({
  ...fulfilment,
  carrier: cutOrNull(fulfilment.carrier),
  trackingNumber: cutOrNull(fulfilment.trackingNumber),
  trackingUrl: httpsUrl(fulfilment.trackingUrl)
})

/** What is kept of a customer. */
export const cutCustomer = (record: CustomerRecord): CustomerRecord => ({
  ...record,
  name: cutOrNull(record.name),
  phones: record.phones.map(cutText),
  email: cutOrNull(record.email),
  locale: cutOrNull(record.locale),
  tags: record.tags.slice(0, recordLimits.tags).map(cutText)
})

/** What is kept of an order. */
export const cutOrder = (record: OrderRecord): OrderRecord => {
  const { fulfilments, lines, refunds } = record
  return {
    ...record,
    name: cutText(record.name),
    phone: cutOrNull(record.phone),
    email: cutOrNull(record.email),
    statusUrl: httpsUrl(record.statusUrl),
    lines: lines.slice(0, recordLimits.lines).map(cutLine),
    fulfilments: fulfilments.slice(0, recordLimits.fulfilments).map(cutFulfilment),
    refunds: refunds.slice(0, recordLimits.refunds),
    truncated:
      record.truncated ||
      lines.length > recordLimits.lines ||
      fulfilments.length > recordLimits.fulfilments ||
      refunds.length > recordLimits.refunds
  }
}

/** What is kept of a cart. */
export const cutCart = (record: CartRecord): CartRecord => ({
  ...record,
  phone: cutOrNull(record.phone),
  email: cutOrNull(record.email),
  lines: record.lines.slice(0, recordLimits.lines).map(cutLine),
  recoveryUrl: httpsUrl(record.recoveryUrl)
})

/** What is kept of a product. */
export const cutProduct = (record: ProductRecord): ProductRecord => ({
  ...record,
  title: cutText(record.title),
  url: httpsUrl(record.url),
  imageUrl: httpsUrl(record.imageUrl),
  variants: record.variants
    .slice(0, recordLimits.variants)
    .map((variant) => ({ ...variant, title: cutText(variant.title), sku: cutOrNull(variant.sku) }))
})
