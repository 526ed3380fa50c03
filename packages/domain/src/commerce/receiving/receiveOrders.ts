import { Effect } from "effect"
import { nextId } from "../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { erasedOrder } from "../holding/moves.ts"
import { OrderId, RefundId } from "../Ids.ts"
import type { KeptOrder } from "../Order.ts"
import { orderEvents } from "../orders/orderEvents.ts"
import { toldOrder } from "../orders/toldOrder.ts"
import type { OrderRecord } from "../records/OrderRecord.ts"
import type { StoreConnection } from "../StoreConnection.ts"
import { StoreOrders } from "../StoreOrders.ts"
import { completeCarts } from "./completeCarts.ts"
import { byExternalId, latest, saysTheSame } from "./latest.ts"
import { markChanged } from "./markChanged.ts"
import { ownersOf } from "./ownersOf.ts"
import { tellStored } from "./tellStored.ts"
import { underStore } from "./underStore.ts"

const newIds = Effect.fnUntraced(function* (before: KeptOrder | null, { refunds }: OrderRecord) {
  return {
    id: before?.id ?? (yield* nextId(OrderId)),
    refundIds: yield* Effect.forEach(refunds, () => nextId(RefundId))
  }
})

/** Takes orders as a shop tells of them, completes the carts that they were placed from, and tells what has happened to them. */
export const receiveOrders = ({ id }: Pick<StoreConnection, "id">, records: ReadonlyArray<OrderRecord>) =>
  underStore(
    id,
    Effect.fnUntraced(function* (connection, now) {
      const orders = yield* StoreOrders
      const told = latest(records)
      const owners = yield* ownersOf(connection, told)
      const kept = byExternalId(
        yield* orders.lock(
          id,
          told.map(({ externalId }) => externalId)
        ),
        ({ record }) => record.externalId
      )
      const changes: Array<{ readonly before: KeptOrder | null; readonly after: KeptOrder }> = []
      for (const record of told) {
        const before = kept.get(record.externalId) ?? null
        const order = toldOrder(before, record, id, yield* newIds(before, record), now)
        if (order === before) continue
        const contactId = owners.contactOf(record, before?.contactId ?? null)
        const after = owners.isClosed(record) ? erasedOrder({ ...order, contactId }, now) : { ...order, contactId }
        if (!saysTheSame(before, after)) changes.push({ before, after })
      }
      // The customer may be closed since it was merged into another one: then the shop names that one by now.
      yield* markChanged(
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
      yield* tellStored(id, changes)
      const since = connection.connectedAt ?? now
      for (const { after, before } of changes) {
        for (const event of orderEvents(before, after, since)) yield* appendEvent(event)
      }
    })
  )
