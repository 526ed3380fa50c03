import { Schema } from "effect"
import { ContactId } from "../../crm/index.ts"
import { Currency, Money, Timestamp, wholeShownWith } from "../../kernel/index.ts"
import { Cart } from "../Cart.ts"
import { StoreConnectionStatus } from "../connections/connectionStatus.ts"
import { StoreConnectionId } from "../Ids.ts"
import { Order } from "../Order.ts"
import { Freshness } from "../StoreConnection.ts"
import { StoreCustomer } from "../StoreCustomer.ts"

/** What somebody has ordered in one currency. Orders that are tests, cancelled or deleted do not count. */
export const Lifetime = Schema.Struct({
  currency: Currency,
  orderCount: Schema.Int,
  /** What was paid, less what was given back. */
  spent: Money,
  firstOrderAt: Timestamp,
  lastOrderAt: Timestamp
}).annotate({ identifier: "Lifetime" })
export type Lifetime = typeof Lifetime.Type

/** A store that something comes from, and how far what is known of it can be behind. */
export const CommerceStore = Schema.Struct({
  storeConnectionId: StoreConnectionId,
  name: Schema.String,
  status: StoreConnectionStatus,
  freshness: Freshness
}).annotate({ identifier: "CommerceStore" })
export type CommerceStore = typeof CommerceStore.Type

/** How much is shown of a contact at most, beside the orders. */
export const commerceLimits = { customers: 20, carts: 5 } as const

/** A contact across all stores. Whom no store knows has nothing here. */
export const ContactCommerce = Schema.Struct({
  contactId: ContactId,
  customers: Schema.Array(StoreCustomer),
  lifetime: Schema.Array(Lifetime),
  orders: Schema.Array(Order),
  carts: Schema.Array(Cart),
  stores: Schema.Array(CommerceStore)
}).annotate({ identifier: "ContactCommerce", ...wholeShownWith("commerce.read") })
export type ContactCommerce = typeof ContactCommerce.Type
