import { Schema } from "effect"
import { Money, Timestamp, wholeShownWith } from "../kernel/index.ts"
import { CartState } from "./Cart.ts"
import { CartId, OrderId, RefundId, StoreConnectionId } from "./Ids.ts"
import { FulfilmentStatus, PaymentStatus } from "./records/OrderRecord.ts"

const whole = wholeShownWith("commerce.read")

/** One thing that happened with a contact in a store: an order stands where it was placed, as it is now. */
export const StoreEntry = Schema.Union([
  Schema.Struct({
    kind: Schema.Literal("order"),
    id: OrderId,
    at: Timestamp,
    storeConnectionId: StoreConnectionId,
    name: Schema.String,
    total: Money,
    paymentStatus: PaymentStatus,
    fulfilmentStatus: FulfilmentStatus,
    cancelledAt: Schema.NullOr(Timestamp)
  }).annotate(whole),
  Schema.Struct({
    kind: Schema.Literal("refund"),
    id: RefundId,
    at: Timestamp,
    storeConnectionId: StoreConnectionId,
    orderId: OrderId,
    amount: Money
  }).annotate(whole),
  Schema.Struct({
    kind: Schema.Literal("cart"),
    id: CartId,
    at: Timestamp,
    storeConnectionId: StoreConnectionId,
    state: CartState,
    total: Money
  }).annotate(whole)
]).annotate({ identifier: "StoreEntry" })
export type StoreEntry = typeof StoreEntry.Type
