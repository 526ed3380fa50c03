import { Schema } from "effect"
import { ContactId } from "../crm/index.ts"
import { Money, Timestamp, wholeShownWith } from "../kernel/index.ts"
import { CartId, OrderId, StoreConnectionId, StoreCustomerId } from "./Ids.ts"
import { StoreLine } from "./Order.ts"
import type { CartRecord } from "./records/CartRecord.ts"

/** What became of a cart: `recovered` if it was abandoned before it was ordered, `expired` if nobody came back. */
export const CartState = Schema.Literals(["active", "abandoned", "recovered", "completed", "expired"])
export type CartState = typeof CartState.Type

/** A cart of a store. */
export class Cart extends Schema.Class<Cart>("Cart")(
  {
    id: CartId,
    storeConnectionId: StoreConnectionId,
    externalId: Schema.String,
    customerId: Schema.NullOr(StoreCustomerId),
    contactId: Schema.NullOr(ContactId),
    state: CartState,
    lines: Schema.Array(StoreLine),
    total: Money,
    recoveryUrl: Schema.NullOr(Schema.String),
    lastActivityAt: Timestamp,
    abandonedAt: Schema.NullOr(Timestamp),
    /** The order of this cart. */
    orderId: Schema.NullOr(OrderId),
    createdAt: Timestamp,
    updatedAt: Timestamp
  },
  wholeShownWith("commerce.read")
) {}

/** A cart as it is kept: what it refers to stands in it by the shop's ids. */
export interface KeptCart {
  readonly id: CartId
  readonly storeConnectionId: StoreConnectionId
  readonly contactId: ContactId | null
  readonly record: CartRecord
  readonly state: CartState
  readonly abandonedAt: Timestamp | null
  /** When it was told last that it is abandoned. */
  readonly toldAt: Timestamp | null
  readonly orderId: OrderId | null
  /** When it took the state that it ends in. */
  readonly closedAt: Timestamp | null
  readonly createdAt: Timestamp
  readonly updatedAt: Timestamp
}
