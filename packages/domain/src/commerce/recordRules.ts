import { DateTime, Equal } from "effect"
import type { CartRecord, CustomerRecord, Fulfilment, LineRecord, OrderRecord, ProductRecord } from "./shopRecords.ts"

/** Maximum sizes of stored shop data. */
export const recordLimits = {
  text: 500,
  /** URLs are not truncated, because a part of a URL is not a valid link. */
  url: 2_000,
  tags: 250,
  lines: 500,
  fulfilments: 100,
  refunds: 100,
  variants: 2_000
} as const

/** Makes a text of a shop safe to store and show: no broken surrogates, no NUL, limited length. */
export const truncateText = (text: string): string => {
  const plain = text.toWellFormed().replaceAll("\0", "")
  return plain.length <= recordLimits.text ? plain : Array.from(plain).slice(0, recordLimits.text).join("")
}

const truncateNullable = (text: string | null): string | null => (text === null ? null : truncateText(text))

const https = /^https:\/\/[a-z0-9.-]+(?::\d{1,5})?(?:[/?#][^\s\p{Cc}]*)?$/iu

/** Returns a URL that can be shown as a link; `null` for another scheme or a URL that is too long. */
export const toHttpsUrl = (text: string | null): string | null =>
  text !== null && text.length <= recordLimits.url && text.isWellFormed() && https.test(text) ? text : null

const truncateLine = (line: LineRecord): LineRecord => ({
  ...line,
  sku: truncateNullable(line.sku),
  title: truncateText(line.title),
  variantTitle: truncateNullable(line.variantTitle),
  imageUrl: toHttpsUrl(line.imageUrl)
})

const truncateFulfilment = (fulfilment: Fulfilment): Fulfilment => ({
  ...fulfilment,
  carrier: truncateNullable(fulfilment.carrier),
  trackingNumber: truncateNullable(fulfilment.trackingNumber),
  trackingUrl: toHttpsUrl(fulfilment.trackingUrl)
})

export const truncateCustomer = (record: CustomerRecord): CustomerRecord => ({
  ...record,
  name: truncateNullable(record.name),
  phones: record.phones.map(truncateText),
  email: truncateNullable(record.email),
  locale: truncateNullable(record.locale),
  tags: record.tags.slice(0, recordLimits.tags).map(truncateText)
})

export const truncateOrder = (record: OrderRecord): OrderRecord => {
  const { fulfilments, lines, refunds } = record
  return {
    ...record,
    name: truncateText(record.name),
    phone: truncateNullable(record.phone),
    email: truncateNullable(record.email),
    statusUrl: toHttpsUrl(record.statusUrl),
    adminUrl: toHttpsUrl(record.adminUrl),
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

export const truncateCart = (record: CartRecord): CartRecord => ({
  ...record,
  phone: truncateNullable(record.phone),
  email: truncateNullable(record.email),
  lines: record.lines.slice(0, recordLimits.lines).map(truncateLine),
  recoveryUrl: toHttpsUrl(record.recoveryUrl)
})

/** Whether the shop has not reported the id of a cart yet. The token then replaces the id. */
export const hasProvisionalId = ({ externalId, token }: CartRecord): boolean => externalId === token

/** Keeps the images of a cart. A delivered cart has no images, and a read cart has them. */
export const withKnownImages = (record: CartRecord, before: CartRecord | null): CartRecord => {
  const images = new Map(before?.lines.map((line) => [line.externalVariantId ?? line.title, line.imageUrl]))
  return {
    ...record,
    lines: record.lines.map((line) => ({
      ...line,
      imageUrl: line.imageUrl ?? images.get(line.externalVariantId ?? line.title) ?? null
    }))
  }
}

export const truncateProduct = (record: ProductRecord): ProductRecord => ({
  ...record,
  title: truncateText(record.title),
  url: toHttpsUrl(record.url),
  imageUrl: toHttpsUrl(record.imageUrl),
  variants: record.variants
    .slice(0, recordLimits.variants)
    .map((variant) => ({ ...variant, title: truncateText(variant.title), sku: truncateNullable(variant.sku) }))
})

/** A record with the times that show its age. */
interface TimestampedRecord {
  readonly updatedAt: DateTime.Utc
}

/**
 * Whether a record replaces the stored one. An older record never does. A record of the same time does, because shops count in whole seconds and
 * several changes share one.
 */
export const supersedes = (record: TimestampedRecord, kept: TimestampedRecord | null): boolean =>
  kept === null || DateTime.isGreaterThanOrEqualTo(record.updatedAt, kept.updatedAt)

interface ReportedRecord {
  readonly externalId: string
  readonly updatedAt: DateTime.Utc
}

/** Returns the newest version of each record. Among versions of the same time, the last one wins. */
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

/** Whether two rows are equal except for their update time. Most repeated reads return known data. */
export const isSameContent = <Row extends { readonly updatedAt: DateTime.Utc }>(one: Row | null, other: Row): boolean =>
  one === other || (one !== null && Equal.equals({ ...one, updatedAt: null }, { ...other, updatedAt: null }))

/** Indexes rows by the ids of the shop. */
export const indexByExternalId = <Row>(rows: ReadonlyArray<Row>, externalIdOf: (row: Row) => string) =>
  new Map(rows.map((row) => [externalIdOf(row), row]))

/** Number of records in one unit of work. Large batches reduce the cost per record, and this limit keeps lock waits short. */
export const receiveBatchSize = 500
