import type { Money } from "../../kernel/index.ts"
import type { KeptOrder } from "../Order.ts"
import type { OrderRecord } from "../records/OrderRecord.ts"

/** Whether an order counts: every one that somebody has placed and that stands, paid or not. */
export const isCounted = ({ deletedAt, record }: Pick<KeptOrder, "deletedAt" | "record">): boolean =>
  deletedAt === null && !record.test && record.cancelledAt === null

/** The products of an order that counts, by the shop's ids: those of which something is left after edits and returns. */
export const boughtIn = (order: Pick<KeptOrder, "deletedAt" | "record">): ReadonlyArray<string> => [
  ...new Set(
    isCounted(order)
      ? order.record.lines.flatMap(({ currentQuantity, externalProductId }) =>
          externalProductId === null || currentQuantity <= 0 ? [] : [externalProductId]
        )
      : []
  )
]

/** What somebody has spent on an order: what was paid, less what was given back. */
export const spentOn = ({ paid, refunded }: OrderRecord): Money => ({
  amountMinor: paid.amountMinor - refunded.amountMinor,
  currency: paid.currency
})
