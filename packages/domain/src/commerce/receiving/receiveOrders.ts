import { DateTime, Effect, Equal } from "effect"
import { nextId } from "../../kernel/index.ts"
import { OrderId, RefundId, type StoreConnectionId } from "../Ids.ts"
import { lockOwners } from "../CustomerMatcher.ts"
import { type StoredOrder, StoreOrders } from "../Order.ts"
import type { StoreConnection } from "../StoreConnection.ts"
import { withStoreLock } from "../StoreConnections.ts"
import { markStale } from "../StaleRecords.ts"
import { eraseOrder } from "../contactTransfers.ts"
import { appendEvent, type StoreEvent } from "../events.ts"
import { indexByExternalId, latestPerRecord, receiveBatchSize, isSameContent } from "../recordRules.ts"
import type { OrderRecord, PaymentStatus } from "../shopRecords.ts"
import { applyOrderReport } from "../orderReports.ts"
import { completeCarts } from "./receiveCarts.ts"

const paidStatuses: ReadonlySet<PaymentStatus> = new Set<PaymentStatus>(["paid", "partially_refunded", "refunded"])

const isPaid = (record: OrderRecord | null) => record !== null && paidStatuses.has(record.paymentStatus)

const isFulfilled = (record: OrderRecord | null) => record?.fulfilmentStatus === "fulfilled"

const isCancelled = (record: OrderRecord | null) => record !== null && record.cancelledAt !== null

/**
 * Returns the events of a change of an order, each at most once and in chronological order. Orders from before the
 * connection of the store are history and have no events.
 */
export const orderEvents = (
  before: StoredOrder | null,
  after: StoredOrder,
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

export interface OrderChange {
  readonly before: StoredOrder | null
  readonly after: StoredOrder
}

/** Fields of an order that determine its contact and its counted amounts. */
const toCountedFields = ({ contactId, gross, record: { cancelledAt, refunded, refunds, test } }: StoredOrder) => ({
  contactId,
  gross,
  cancelledAt,
  refunded,
  refunds,
  test
})

/**
 * Publishes the new orders of a unit of work and those with a changed contact or amount. One import batch limits the number of orders in an event.
 */
export const publishStoredOrders = Effect.fnUntraced(function* (
  storeConnectionId: StoreConnectionId,
  orders: ReadonlyArray<OrderChange>
) {
  const orderIds = orders.flatMap(({ after, before }) =>
    before !== null && Equal.equals(toCountedFields(before), toCountedFields(after)) ? [] : [after.id]
  )
  for (let from = 0; from < orderIds.length; from += receiveBatchSize) {
    yield* appendEvent({
      type: "orders.stored",
      storeConnectionId,
      orderIds: orderIds.slice(from, from + receiveBatchSize)
    })
  }
})

const newIds = Effect.fnUntraced(function* (before: StoredOrder | null, { refunds }: OrderRecord) {
  return {
    id: before?.id ?? (yield* nextId(OrderId)),
    refundIds: yield* Effect.forEach(refunds, () => nextId(RefundId))
  }
})

/** Stores orders as a shop reports them, completes the carts that they were placed from and appends the events. */
export const receiveOrders = ({ id }: Pick<StoreConnection, "id">, records: ReadonlyArray<OrderRecord>) =>
  withStoreLock(
    id,
    Effect.fnUntraced(function* (connection, now) {
      const orders = yield* StoreOrders
      const latest = latestPerRecord(records)
      const owners = yield* lockOwners(connection, latest)
      const kept = indexByExternalId(
        yield* orders.lock(
          id,
          latest.map(({ externalId }) => externalId)
        ),
        ({ record }) => record.externalId
      )
      const changes: Array<{ readonly before: StoredOrder | null; readonly after: StoredOrder }> = []
      for (const record of latest) {
        const before = kept.get(record.externalId) ?? null
        const order = applyOrderReport(before, record, id, yield* newIds(before, record), now)
        if (order === before) continue
        const contactId = owners.contactOf(record, before?.contactId ?? null)
        const after = owners.isClosed(record) ? eraseOrder({ ...order, contactId }, now) : { ...order, contactId }
        if (!isSameContent(before, after)) changes.push({ before, after })
      }
      // A merge can have closed the customer. The shop then reports the remaining customer.
      yield* markStale(
        id,
        changes.flatMap(({ after: { record }, before }) =>
          owners.isClosed(record) && record.externalCustomerId !== before?.record.externalCustomerId
            ? [{ kind: "orders" as const, externalId: record.externalId }]
            : []
        )
      )
      yield* orders.put(changes.map(({ after }) => after))
      yield* completeCarts(
        id,
        changes.flatMap(({ after: { id: orderId, record } }) =>
          record.checkoutToken === null ? [] : [{ token: record.checkoutToken, orderId, at: record.placedAt }]
        ),
        now
      )
      yield* publishStoredOrders(id, changes)
      const since = connection.connectedAt ?? now
      for (const { after, before } of changes) {
        for (const event of orderEvents(before, after, since)) yield* appendEvent(event)
      }
    })
  )
