import { DateTime } from "effect"
import type { Currency, Money } from "../kernel/index.ts"
import type { GrossChange, StoredOrder } from "./Order.ts"
import type { OrderRecord } from "./shopRecords.ts"

/** The currencies of ISO 4217 whose smallest unit is not a hundredth, by how many decimals they have. */
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

/** How many decimals an amount of this currency has. */
export const exponentOf = (currency: Currency): number => exponents.get(currency) ?? defaultExponent

const decimal = /^(-?)(\d{1,30})(?:\.(\d{1,30}))?$/u

/**
 * Reads an amount as shops write it, such as `19.99`, in the smallest unit of its currency; half a unit is rounded away from zero.
 * `null` if it is none, or larger than can be counted exactly.
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

/** No money. */
export const zeroMoney = (currency: Currency): Money => ({ amountMinor: 0, currency })

/** Whether an order counts: every one that somebody has placed and that stands, paid or not. */
export const isCountedOrder = ({ deletedAt, record }: Pick<StoredOrder, "deletedAt" | "record">): boolean =>
  deletedAt === null && !record.test && record.cancelledAt === null

/** The products of an order that counts, by the shop's ids: those of which something is left after edits and returns. */
export const boughtProductIds = (order: Pick<StoredOrder, "deletedAt" | "record">): ReadonlyArray<string> => [
  ...new Set(
    isCountedOrder(order)
      ? order.record.lines.flatMap(({ currentQuantity, externalProductId }) =>
          externalProductId === null || currentQuantity <= 0 ? [] : [externalProductId]
        )
      : []
  )
]

/** What somebody has spent on an order: what was paid, less what was given back. */
export const spentAmount = ({ paid, refunded }: OrderRecord): Money => ({
  amountMinor: paid.amountMinor - refunded.amountMinor,
  currency: paid.currency
})

/** How many edits of an order are kept apart; what comes after them is added to the last one. */
const maxEdits = 100

/** What was given back of an order, whether the shop lists each refund or not. */
export const refundedAmount = ({ refunded, refunds }: Pick<OrderRecord, "refunded" | "refunds">): number =>
  Math.max(
    refunded.amountMinor,
    refunds.reduce((sum, { amount }) => sum + amount.amountMinor, 0)
  )

const sumOf = (changes: ReadonlyArray<GrossChange>) => changes.reduce((sum, { amountMinor }) => sum + amountMinor, 0)

/**
 * What was given back of an order for what was returned, whatever was paid of it: as far as what it comes to fell in the same reading in which
 * more was given back. What was so before stays so.
 */
const returnedAmount = (before: StoredOrder, record: OrderRecord): number => {
  if (before.record.cancelledAt !== null) return 0
  const fallen = before.record.currentTotal.amountMinor - record.currentTotal.amountMinor
  const givenBack = refundedAmount(record) - refundedAmount(before.record)
  return sumOf(before.gross) - before.record.currentTotal.amountMinor + Math.max(0, Math.min(fallen, givenBack))
}

/**
 * What an order comes to, edited as it is, before anything is given back. `currentTotal` is lower by what was returned, too: where more was paid than
 * that, what was given back of it is no edit. While the customer owes something, only `returned` says so.
 */
const grossOf = (record: OrderRecord, returned: number): number => {
  const { currentTotal, paid } = record
  const overpaid = Math.max(0, paid.amountMinor - currentTotal.amountMinor)
  return currentTotal.amountMinor + Math.min(refundedAmount(record), Math.max(overpaid, returned))
}

/** When the shop has edited it, as far as it says: not before it was placed, and not later than now. */
const editedAt = ({ placedAt, updatedAt }: OrderRecord, now: DateTime.Utc) =>
  DateTime.min(DateTime.max(placedAt, updatedAt), DateTime.max(placedAt, now))

const withEdit = (changes: ReadonlyArray<GrossChange>, edit: GrossChange): ReadonlyArray<GrossChange> => {
  const last = changes.at(-1)
  return last === undefined || changes.length <= maxEdits
    ? [...changes, edit]
    : [...changes.slice(0, -1), { ...last, amountMinor: last.amountMinor + edit.amountMinor }]
}

/**
 * What an order came to when it was placed, and by how much each edit has changed it, once the shop has told of it. What was edited before it was first told
 * counts with the placing, because no shop says when that was. Cancelling is no edit, whatever it leaves.
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
