import { type DateTime, Effect } from "effect"
import { appendEvent } from "../appendEvent.ts"
import type { KeptCart } from "../Cart.ts"
import { orderedCart } from "../carts/cartStates.ts"
import type { OrderId, StoreConnectionId } from "../Ids.ts"
import { StoreCarts } from "../StoreCarts.ts"
import { saysTheSame } from "./latest.ts"

/** That something was ordered from a cart; `null` where the order is not known yet. */
export interface Ordered {
  readonly token: string
  readonly orderId: OrderId | null
  readonly at: DateTime.Utc
}

/** Stores carts that have changed, and tells of those that were abandoned and are ordered. */
export const putCarts = Effect.fnUntraced(function* (
  changes: ReadonlyArray<{ readonly before: KeptCart | null; readonly after: KeptCart }>
) {
  const changed = changes.filter(({ after, before }) => !saysTheSame(before, after))
  yield* (yield* StoreCarts).put(changed.map(({ after }) => after))
  for (const { after, before } of changed) {
    const { contactId, id: cartId, state, storeConnectionId } = after
    if (state !== "recovered" || before?.state === "recovered") continue
    yield* appendEvent({ type: "cart.recovered", cartId, storeConnectionId, contactId })
  }
})

/** Completes the carts that were ordered from. */
export const completeCarts = Effect.fnUntraced(function* (
  storeConnectionId: StoreConnectionId,
  ordered: ReadonlyArray<Ordered>,
  now: DateTime.Utc
) {
  if (ordered.length === 0) return
  const byToken = new Map(ordered.map((each) => [each.token, each]))
  const carts = yield* (yield* StoreCarts).lockByToken(storeConnectionId, [...byToken.keys()])
  yield* putCarts(
    carts.flatMap((before) => {
      const order = byToken.get(before.record.token ?? "")
      return order === undefined
        ? []
        : [{ before, after: { ...before, ...orderedCart(before, order.orderId, order.at), updatedAt: now } }]
    })
  )
})
