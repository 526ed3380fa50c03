import { DateTime } from "effect"
import type { Currency, Money } from "../kernel/index.ts"
import type { GrossChange, StoredOrder } from "./Order.ts"
import type { OrderRecord } from "./shopRecords.ts"

/** ISO 4217 currencies whose smallest unit is not a hundredth, by number of decimals. */
const otherExponents: Readonly<Record<number, string>> = {
  0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
  3: "BHD IQD JOD KWD LYD OMR TND",
  4: "CLF UYW"
}

const defaultExponent = 2

const exponents: ReadonlyMap<string, number> = new Map(
  Object.entries(otherExponents).flatMap(([exponent, codes]) =>
    codes.split(" ").map((code) => [code, Number(exponent)] as const)
  )
)

/** Returns the number of decimals of a currency. */
export const exponentOf = (currency: Currency): number => exponents.get(currency) ?? defaultExponent

const decimal = /^(-?)(\d{1,30})(?:\.(\d{1,30}))?$/u

/**
 * Parses an amount of a shop, such as `19.99`, into the smallest unit of its currency. Half a unit is rounded away from zero. Returns `null` for an
 * invalid amount and for one above the exact integer range.
 */
export const parseMoney = (text: string, currency: Currency): Money | null => {
  const [, sign, whole, fraction = ""] = decimal.exec(text.trim()) ?? []
  if (whole === undefined) return null
  const exponent = exponentOf(currency)
  const decimals = fraction.padEnd(exponent + 1, "0")
  const kept = BigInt(whole + decimals.slice(0, exponent))
  const rounded = decimals.charAt(exponent) >= "5" ? kept + 1n : kept
  const amountMinor = Number(sign === "-" ? -rounded : rounded)
  return Number.isSafeInteger(amountMinor) ? { amountMinor, currency } : null
}

export const zeroMoney = (currency: Currency): Money => ({ amountMinor: 0, currency })

/** Whether an order counts: it is neither deleted, cancelled nor a test. It can be unpaid. */
export const isCountedOrder = ({ deletedAt, record }: Pick<StoredOrder, "deletedAt" | "record">): boolean =>
  deletedAt === null && !record.test && record.cancelledAt === null

/** Returns the products of a counted order by the ids of the shop. Fully removed or returned products are excluded. */
export const boughtProductIds = (order: Pick<StoredOrder, "deletedAt" | "record">): ReadonlyArray<string> => [
  ...new Set(
    isCountedOrder(order)
      ? order.record.lines.flatMap(({ currentQuantity, externalProductId }) =>
          externalProductId === null || currentQuantity <= 0 ? [] : [externalProductId]
        )
      : []
  )
]

/** Returns the paid amount less the refunded amount. */
export const spentAmount = ({ paid, refunded }: OrderRecord): Money => ({
  amountMinor: paid.amountMinor - refunded.amountMinor,
  currency: paid.currency
})

/** Maximum number of separate edits of an order. Later edits are added to the last one. */
const maxEdits = 100

/** Returns the refunded amount of an order. The shop does not always list each refund. */
export const refundedAmount = ({ refunded, refunds }: Pick<OrderRecord, "refunded" | "refunds">): number =>
  Math.max(
    refunded.amountMinor,
    refunds.reduce((sum, { amount }) => sum + amount.amountMinor, 0)
  )

const sumOf = (changes: ReadonlyArray<GrossChange>) => changes.reduce((sum, { amountMinor }) => sum + amountMinor, 0)

/**
 * Returns the refunded amount for returned items, independent of payments. It is the decrease of the order total, up to the increase of the refunds
 * in the same reading. Earlier returned amounts stay.
 */
const returnedAmount = (before: StoredOrder, record: OrderRecord): number => {
  if (before.record.cancelledAt !== null) return 0
  const fallen = before.record.currentTotal.amountMinor - record.currentTotal.amountMinor
  const givenBack = refundedAmount(record) - refundedAmount(before.record)
  return sumOf(before.gross) - before.record.currentTotal.amountMinor + Math.max(0, Math.min(fallen, givenBack))
}

/**
 * Returns the gross amount of an order: edits included, refunds excluded. Returned items also lower `currentTotal`. An amount that was paid above
 * `currentTotal` and refunded is therefore no edit. While the customer owes an amount, only `returned` shows this.
 */
const grossOf = (record: OrderRecord, returned: number): number => {
  const { currentTotal, paid } = record
  const overpaid = Math.max(0, paid.amountMinor - currentTotal.amountMinor)
  return currentTotal.amountMinor + Math.min(refundedAmount(record), Math.max(overpaid, returned))
}

/** Returns the reported time of an edit, limited to the range between the placement of the order and now. */
const editedAt = ({ placedAt, updatedAt }: OrderRecord, now: DateTime.Utc) =>
  DateTime.min(DateTime.max(placedAt, updatedAt), DateTime.max(placedAt, now))

const withEdit = (changes: ReadonlyArray<GrossChange>, edit: GrossChange): ReadonlyArray<GrossChange> => {
  const last = changes.at(-1)
  return last === undefined || changes.length <= maxEdits
    ? [...changes, edit]
    : [...changes.slice(0, -1), { ...last, amountMinor: last.amountMinor + edit.amountMinor }]
}

/**
 * Returns the gross amount at placement and the change of each later edit. Edits before the first report count as part of the placement, because no
 * shop reports their time. A cancellation is not an edit.
 */
export const grossHistory = (
  before: StoredOrder | null,
  record: OrderRecord,
  now: DateTime.Utc
): ReadonlyArray<GrossChange> => {
  const { cancelledAt, placedAt, total } = record
  const [placed, ...edits] = before?.gross ?? []
  if (before === null || placed === undefined) {
    return [{ amountMinor: cancelledAt === null ? grossOf(record, 0) : total.amountMinor, at: placedAt }]
  }
  const known = [{ ...placed, at: placedAt }, ...edits]
  const amountMinor = grossOf(record, returnedAmount(before, record)) - sumOf(known)
  return cancelledAt !== null || amountMinor === 0 ? known : withEdit(known, { amountMinor, at: editedAt(record, now) })
}
