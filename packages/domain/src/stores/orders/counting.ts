import type { Money } from "../../kernel/index.ts"
import type { KeptOrder } from "../Order.ts"
import type { OrderRecord } from "../records/OrderRecord.ts"

/** Whether an order counts: every one that somebody has placed and that stands, paid or not. */
export const isCounted = ({ deletedAt, record }: Pick<KeptOrder, "deletedAt" | "record">): boolean =>
  deletedAt === null && !record.test && record.cancelledAt === null

/** What somebody has spent on an order: what was paid, less what was given back. */
export const spentOn = ({ paid, refunded }: OrderRecord): Money => ({
  amountMinor: paid.amountMinor - refunded.amountMinor,
  currency: paid.currency
})
