import { Schema } from "effect"
import { ContactId } from "../crm/index.ts"
import { eventAppender, Money } from "../kernel/index.ts"
import { JobId } from "../platform/jobs/index.ts"
import { CartId, OrderId, PrivacyRequestId, StoreConnectionId, StoreCustomerId } from "./Ids.ts"
import { StoreConnectionStatus } from "./StoreConnection.ts"

const connection = <const Type extends string, F extends Schema.Struct.Fields>(type: Type, fields: F) =>
  Schema.Struct({ type: Schema.Literal(type), storeConnectionId: StoreConnectionId, ...fields })

const ownerFields = { storeConnectionId: StoreConnectionId, contactId: Schema.NullOr(ContactId) }

const customer = <const Type extends string>(type: Type) =>
  Schema.Struct({
    type: Schema.Literal(type),
    storeCustomerId: StoreCustomerId,
    storeConnectionId: StoreConnectionId,
    contactId: ContactId
  })

const order = <const Type extends string, F extends Schema.Struct.Fields>(type: Type, fields: F) =>
  Schema.Struct({ type: Schema.Literal(type), orderId: OrderId, ...ownerFields, ...fields })

const cart = <const Type extends string>(type: Type) =>
  Schema.Struct({ type: Schema.Literal(type), cartId: CartId, ...ownerFields })

const privacyRequest = <const Type extends string>(type: Type) =>
  Schema.Struct({ type: Schema.Literal(type), privacyRequestId: PrivacyRequestId, ...ownerFields })

export const StoreEvent = Schema.Union([
  connection("store_connection.connected", {}),
  connection("store_connection.updated", {}),
  connection("store_connection.status_changed", { from: StoreConnectionStatus, to: StoreConnectionStatus }),
  connection("store_connection.synced", { jobId: JobId }),
  connection("store_connection.removed", {}),
  customer("customer.linked"),
  customer("customer.unlinked"),
  order("order.created", {}),
  order("order.paid", {}),
  order("order.fulfilled", {}),
  order("order.cancelled", {}),
  order("order.refunded", { amount: Money }),
  cart("cart.abandoned"),
  cart("cart.recovered"),
  privacyRequest("privacy_request.received"),
  privacyRequest("privacy_request.due"),
  privacyRequest("privacy_request.done")
])
export type StoreEvent = typeof StoreEvent.Type

/**
 * New orders and orders with a changed contact or amount, including imported ones. The event is logged for counting consumers and never published,
 * because a newly connected shop reports old orders.
 */
export const OrdersStored = connection("orders.stored", { orderIds: Schema.Array(OrderId) })
export type OrdersStored = typeof OrdersStored.Type

/** Appends an event of this area in the commit of its change. */
export const appendEvent = eventAppender<StoreEvent | OrdersStored>()
