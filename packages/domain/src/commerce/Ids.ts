import { type DateTime, Schema } from "effect"
import type { ContactId } from "../crm/index.ts"
import { Uuid } from "../kernel/index.ts"

export const StoreConnectionId = Uuid.pipe(Schema.brand("StoreConnectionId"))
export type StoreConnectionId = typeof StoreConnectionId.Type

export const StoreCustomerId = Uuid.pipe(Schema.brand("StoreCustomerId"))
export type StoreCustomerId = typeof StoreCustomerId.Type

export const PrivacyRequestId = Uuid.pipe(Schema.brand("PrivacyRequestId"))
export type PrivacyRequestId = typeof PrivacyRequestId.Type

export const OrderId = Uuid.pipe(Schema.brand("OrderId"))
export type OrderId = typeof OrderId.Type

export const RefundId = Uuid.pipe(Schema.brand("RefundId"))
export type RefundId = typeof RefundId.Type

export const CartId = Uuid.pipe(Schema.brand("CartId"))
export type CartId = typeof CartId.Type

export const ProductId = Uuid.pipe(Schema.brand("ProductId"))
export type ProductId = typeof ProductId.Type

/** Filter of store records; `null` matches any value. */
export interface CommerceQuery {
  readonly storeConnectionId: StoreConnectionId | null
  readonly contactId: ContactId | null
  readonly updatedSince: DateTime.Utc | null
  /** Part of a name or another searchable text. Ignores case and accents. */
  readonly q: string | null
}

/** Query that matches all records. */
export const allRecords: CommerceQuery = { storeConnectionId: null, contactId: null, updatedSince: null, q: null }

/** Reference to a record by the id of the shop. */
export interface ExternalRef {
  readonly storeConnectionId: StoreConnectionId
  readonly externalId: string
}

/** Reference to a record of a shop, with its id in Parley. */
export interface KnownRef<Id> extends ExternalRef {
  readonly id: Id
}
