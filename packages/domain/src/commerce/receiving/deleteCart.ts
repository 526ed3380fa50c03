import { DateTime, Effect } from "effect"
import { nextId } from "../../kernel/index.ts"
import type { KeptCart } from "../Cart.ts"
import { droppedCart } from "../carts/cartStates.ts"
import { CartId } from "../Ids.ts"
import { noMoney } from "../money/noMoney.ts"
import type { StoreConnection } from "../StoreConnection.ts"
import { StoreCarts } from "../StoreCarts.ts"
import { putCarts } from "./completeCarts.ts"
import { underStore } from "./underStore.ts"

/** A cart that was gone before anything else was told of it. */
const unknownCart = (
  id: CartId,
  connection: Pick<StoreConnection, "currency" | "id">,
  externalId: string,
  now: DateTime.Utc
): KeptCart => ({
  id,
  storeConnectionId: connection.id,
  contactId: null,
  record: {
    externalId,
    token: null,
    externalCustomerId: null,
    phone: null,
    email: null,
    lines: [],
    total: noMoney(connection),
    recoveryUrl: null,
    completedAt: null,
    updatedAt: now
  },
  state: "expired",
  abandonedAt: null,
  toldAt: null,
  orderId: null,
  closedAt: now,
  createdAt: now,
  updatedAt: now
})

/** The cart without what it was until now, so that what is told of that late does not bring it back. */
const deleted = (before: KeptCart, now: DateTime.Utc): KeptCart => {
  const updatedAt = DateTime.max(before.record.updatedAt, now)
  return { ...before, ...droppedCart(before, now), record: { ...before.record, updatedAt }, updatedAt: now }
}

/** Takes that a shop does not have a cart any more. */
export const deleteCart = ({ id }: Pick<StoreConnection, "id">, externalId: string) =>
  underStore(
    id,
    Effect.fnUntraced(function* (connection, now) {
      const [before] = yield* (yield* StoreCarts).lock(id, [externalId])
      if (before !== undefined) return yield* putCarts([{ before, after: deleted(before, now) }])
      yield* putCarts([{ before: null, after: unknownCart(yield* nextId(CartId), connection, externalId, now) }])
    })
  )
