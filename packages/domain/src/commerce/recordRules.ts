import { DateTime, Equal } from "effect"
import type { CartRecord, CustomerRecord, Fulfilment, LineRecord, OrderRecord, ProductRecord } from "./shopRecords.ts"

/** How much is kept of what a shop says. */
export const recordLimits = {
  text: 500,
  /** Addresses are not cut: a part of one leads nowhere. */
  url: 2_000,
  tags: 250,
  lines: 500,
  fulfilments: 100,
  refunds: 100,
  variants: 2_000
} as const

/** A text of a shop as it can be kept and shown: no half characters, no NUL, and not too long. */
export const truncateText = (text: string): string => {
  const plain = text.toWellFormed().replaceAll("\0", "")
  return plain.length <= recordLimits.text ? plain : Array.from(plain).slice(0, recordLimits.text).join("")
}

const truncateNullable = (text: string | null): string | null => (text === null ? null : truncateText(text))

const https = /^https:\/\/[a-z0-9.-]+(?::\d{1,5})?(?:[/?#][^\s\p{Cc}]*)?$/iu

/** An address that can be shown as a link; one of any other scheme, or too long to be whole, is none. */
export const toHttpsUrl = (text: string | null): string | null =>
  text !== null && text.length <= recordLimits.url && text.isWellFormed() && https.test(text) ? text : null

const truncateLine = (line: LineRecord): LineRecord => ({
  ...line,
  sku: truncateNullable(line.sku),
  title: truncateText(line.title),
  variantTitle: truncateNullable(line.variantTitle)
})

const truncateFulfilment = (fulfilment: Fulfilment): Fulfilment => ({
  ...fulfilment,
  carrier: truncateNullable(fulfilment.carrier),
  trackingNumber: truncateNullable(fulfilment.trackingNumber),
  trackingUrl: toHttpsUrl(fulfilment.trackingUrl)
})

/** What is kept of a customer. */
export const truncateCustomer = (record: CustomerRecord): CustomerRecord => ({
  ...record,
  name: truncateNullable(record.name),
  phones: record.phones.map(truncateText),
  email: truncateNullable(record.email),
  locale: truncateNullable(record.locale),
  tags: record.tags.slice(0, recordLimits.tags).map(truncateText)
})

/** What is kept of an order. */
export const truncateOrder = (record: OrderRecord): OrderRecord => {
  const { fulfilments, lines, refunds } = record
  return {
    ...record,
    name: truncateText(record.name),
    phone: truncateNullable(record.phone),
    email: truncateNullable(record.email),
    statusUrl: toHttpsUrl(record.statusUrl),
    lines: lines.slice(0, recordLimits.lines).map(truncateLine),
    fulfilments: fulfilments.slice(0, recordLimits.fulfilments).map(truncateFulfilment),
    refunds: refunds.slice(0, recordLimits.refunds),
    truncated:
      record.truncated ||
      lines.length > recordLimits.lines ||
      fulfilments.length > recordLimits.fulfilments ||
      refunds.length > recordLimits.refunds
  }
}

/** What is kept of a cart. */
export const truncateCart = (record: CartRecord): CartRecord => ({
  ...record,
  phone: truncateNullable(record.phone),
  email: truncateNullable(record.email),
  lines: record.lines.slice(0, recordLimits.lines).map(truncateLine),
  recoveryUrl: toHttpsUrl(record.recoveryUrl)
})

/** What is kept of a product. */
export const truncateProduct = (record: ProductRecord): ProductRecord => ({
  ...record,
  title: truncateText(record.title),
  url: toHttpsUrl(record.url),
  imageUrl: toHttpsUrl(record.imageUrl),
  variants: record.variants
    .slice(0, recordLimits.variants)
    .map((variant) => ({ ...variant, title: truncateText(variant.title), sku: truncateNullable(variant.sku) }))
})

/** What a record says of its age. */
interface TimestampedRecord {
  readonly updatedAt: DateTime.Utc
}

/**
 * Whether a record takes the place of the one that is kept. An older one never does. One of the same time does: shops count whole seconds,
 * and changes share them.
 */
export const supersedes = (record: TimestampedRecord, kept: TimestampedRecord | null): boolean =>
  kept === null || DateTime.isGreaterThanOrEqualTo(record.updatedAt, kept.updatedAt)

interface ReportedRecord {
  readonly externalId: string
  readonly updatedAt: DateTime.Utc
}

/** Each record once, the newest of it; of those that are of one time the last. */
export const latestPerRecord = <Record extends ReportedRecord>(
  records: ReadonlyArray<Record>
): ReadonlyArray<Record> => {
  const all = new Map<string, Record>()
  for (const record of records) {
    const before = all.get(record.externalId)
    if (before === undefined || DateTime.isGreaterThanOrEqualTo(record.updatedAt, before.updatedAt)) {
      all.set(record.externalId, record)
    }
  }
  return [...all.values()]
}

/** Whether two say the same, whenever that was stored: what is read again is mostly what is known. */
export const isSameContent = <Row extends { readonly updatedAt: DateTime.Utc }>(one: Row | null, other: Row): boolean =>
  one === other || (one !== null && Equal.equals({ ...one, updatedAt: null }, { ...other, updatedAt: null }))

/** Rows by what the shop knows them by. */
export const indexByExternalId = <Row>(rows: ReadonlyArray<Row>, externalIdOf: (row: Row) => string) =>
  new Map(rows.map((row) => [externalIdOf(row), row]))

/** How many records are taken in one unit of work: enough that statements cost little each, few enough that nobody waits for long. */
export const receiveBatchSize = 500
