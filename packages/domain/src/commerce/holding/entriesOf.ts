import type { KeptCart } from "../Cart.ts"
import type { KeptOrder } from "../Order.ts"
import type { StoreEntry } from "../StoreEntry.ts"

/** What is told of an order in a timeline: itself, and what was given back of it. */
export const orderEntries = ({ id, record, refundIds, storeConnectionId }: KeptOrder): ReadonlyArray<StoreEntry> => {
  const { cancelledAt, fulfilmentStatus, name, paymentStatus, placedAt, refunds, total } = record
  return [
    { kind: "order", id, at: placedAt, storeConnectionId, name, total, paymentStatus, fulfilmentStatus, cancelledAt },
    ...refunds.flatMap(({ amount, at }, place): ReadonlyArray<StoreEntry> => {
      const refundId = refundIds[place]
      return refundId === undefined
        ? []
        : [{ kind: "refund", id: refundId, at, storeConnectionId, orderId: id, amount }]
    })
  ]
}

/** What is told of a cart in a timeline. */
export const cartEntry = ({ id, record, state, storeConnectionId }: KeptCart): StoreEntry => ({
  kind: "cart",
  id,
  at: record.updatedAt,
  storeConnectionId,
  state,
  total: record.total
})
