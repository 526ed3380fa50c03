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

/** Which records of stores to list; `null` is any. */
export interface CommerceQuery {
  readonly storeConnectionId: StoreConnectionId | null
  readonly contactId: ContactId | null
  readonly updatedSince: DateTime.Utc | null
  /** A part of what it is called or known by, whatever its case and accents. */
  readonly q: string | null
}

/** A record of a shop, by the shop's own id. */
export interface ExternalRef {
  readonly storeConnectionId: StoreConnectionId
  readonly externalId: string
}

/** A record of a shop, and its id here. */
export interface KnownRef<Id> extends ExternalRef {
  readonly id: Id
}
