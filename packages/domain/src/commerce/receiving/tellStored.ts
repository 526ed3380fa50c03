import { Effect, Equal } from "effect"
import { appendEvent } from "../appendEvent.ts"
import type { StoreConnectionId } from "../Ids.ts"
import type { KeptOrder } from "../Order.ts"
import { receivingBatch } from "./receivingBatch.ts"

/** An order before and after it was stored. */
export interface StoredOrder {
  readonly before: KeptOrder | null
  readonly after: KeptOrder
}

/** Whose an order is, and what it comes to. */
const sumsOf = ({ contactId, gross, record: { cancelledAt, refunded, refunds, test } }: KeptOrder) => ({
  contactId,
  gross,
  cancelledAt,
  refunded,
  refunds,
  test
})

/**
 * Tells of orders that are new, or are somebody else's or come to something else by now: those of a unit of work together, as many as an import takes in
 * one, so that no event is about very many.
 */
export const tellStored = Effect.fnUntraced(function* (
  storeConnectionId: StoreConnectionId,
  orders: ReadonlyArray<StoredOrder>
) {
  const orderIds = orders.flatMap(({ after, before }) =>
    before !== null && Equal.equals(sumsOf(before), sumsOf(after)) ? [] : [after.id]
  )
  for (let from = 0; from < orderIds.length; from += receivingBatch) {
    yield* appendEvent({
      type: "orders.stored",
      storeConnectionId,
      orderIds: orderIds.slice(from, from + receivingBatch)
    })
  }
})
