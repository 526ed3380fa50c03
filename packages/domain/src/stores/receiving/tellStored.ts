import { Effect, Equal } from "effect"
import { appendEvent } from "../appendEvent.ts"
import type { StoreConnectionId } from "../Ids.ts"
import type { KeptOrder } from "../Order.ts"

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

/** Tells of orders that are new, or are somebody else's or come to something else by now: all of a unit of work together, those of an import, too. */
export const tellStored = Effect.fnUntraced(function* (
  storeConnectionId: StoreConnectionId,
  orders: ReadonlyArray<StoredOrder>
) {
  const orderIds = orders.flatMap(({ after, before }) =>
    before !== null && Equal.equals(sumsOf(before), sumsOf(after)) ? [] : [after.id]
  )
  if (orderIds.length > 0) yield* appendEvent({ type: "orders.stored", storeConnectionId, orderIds })
})
