import { DateTime } from "effect"
import type { StoreEvent } from "../Events.ts"
import type { KeptOrder } from "../Order.ts"
import type { OrderRecord, PaymentStatus } from "../records/OrderRecord.ts"

const settled: ReadonlySet<PaymentStatus> = new Set<PaymentStatus>(["paid", "partially_refunded", "refunded"])

const isPaid = (record: OrderRecord | null) => record !== null && settled.has(record.paymentStatus)

const isFulfilled = (record: OrderRecord | null) => record?.fulfilmentStatus === "fulfilled"

const isCancelled = (record: OrderRecord | null) => record !== null && record.cancelledAt !== null

/**
 * What is told of an order that the shop has changed: each of it once, in the order in which it happens. Nothing of those that were placed
 * before the store was connected: they are history.
 */
export const orderEvents = (
  before: KeptOrder | null,
  after: KeptOrder,
  connectedAt: DateTime.Utc
): ReadonlyArray<StoreEvent> => {
  const { contactId, id: orderId, record, storeConnectionId } = after
  if (after.deletedAt !== null || DateTime.isLessThan(record.placedAt, connectedAt)) return []
  const whose = { orderId, storeConnectionId, contactId }
  const former = before?.record ?? null
  const known = new Set(former?.refunds.map(({ externalId }) => externalId))
  return [
    ...(before === null ? [{ type: "order.created" as const, ...whose }] : []),
    ...(isPaid(record) && !isPaid(former) ? [{ type: "order.paid" as const, ...whose }] : []),
    ...(isFulfilled(record) && !isFulfilled(former) ? [{ type: "order.fulfilled" as const, ...whose }] : []),
    ...(isCancelled(record) && !isCancelled(former) ? [{ type: "order.cancelled" as const, ...whose }] : []),
    ...record.refunds
      .filter(({ externalId }) => !known.has(externalId))
      .map(({ amount }) => ({ type: "order.refunded" as const, ...whose, amount }))
  ]
}
