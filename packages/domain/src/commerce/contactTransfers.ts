import type { DateTime } from "effect"
import type { ContactId } from "../crm/index.ts"
import type { StoredCart } from "./Cart.ts"
import type { ContactCommerceData } from "./ContactCommerce.ts"
import type { StoredOrder } from "./Order.ts"
import { type StoredCustomer, StoreCustomer } from "./StoreCustomer.ts"

const updateCustomer = (kept: StoredCustomer, input: Partial<StoreCustomer>, now: DateTime.Utc): StoredCustomer => ({
  ...kept,
  customer: new StoreCustomer({ ...kept.customer, ...input, updatedAt: now })
})

/** Returns the possible other contact of a customer after its contact `from` became `to`. */
const conflictAfter = (
  { conflictContactId }: StoreCustomer,
  contactId: ContactId | null,
  from: ContactId,
  to: ContactId
) => {
  const after = conflictContactId === from ? to : conflictContactId
  return after === contactId ? null : after
}

/** Moves the store data of one contact to another contact, after a merge or its reversal. */
export const transferCommerceData = (
  held: ContactCommerceData,
  from: ContactId,
  to: ContactId,
  now: DateTime.Utc
): ContactCommerceData => {
  const theirs = <Row extends StoredCart | StoredOrder>(row: Row): Row => ({ ...row, contactId: to, updatedAt: now })
  return {
    customers: held.customers.map((kept) => {
      const contactId = kept.customer.contactId === from ? to : kept.customer.contactId
      const conflictContactId = conflictAfter(kept.customer, contactId, from, to)
      return updateCustomer(kept, { contactId, conflictContactId }, now)
    }),
    orders: held.orders.map(theirs),
    carts: held.carts.map(theirs)
  }
}

/** Detaches store data from contacts that no longer exist. The records stay as the history of the store. */
export const detached = (
  held: ContactCommerceData,
  gone: ReadonlySet<ContactId>,
  now: DateTime.Utc
): ContactCommerceData => {
  const nobodys = <Row extends StoredCart | StoredOrder>(row: Row): Row => ({ ...row, contactId: null, updatedAt: now })
  return {
    customers: held.customers.map((kept) => {
      const { conflictContactId, contactId } = kept.customer
      const isGone = contactId !== null && gone.has(contactId)
      const other = conflictContactId !== null && gone.has(conflictContactId) ? null : conflictContactId
      return updateCustomer(
        kept,
        isGone ? { contactId: null, linkedBy: null, conflictContactId: null } : { conflictContactId: other },
        now
      )
    }),
    orders: held.orders.map(nobodys),
    carts: held.carts.map(nobodys)
  }
}

/** Erases the personal data of a customer. Closes the customer, so that no sync restores the person. */
export const eraseCustomer = (kept: StoredCustomer, now: DateTime.Utc): StoredCustomer => ({
  ...updateCustomer(kept, { name: null, phone: null, email: null, locale: null, tags: [] }, now),
  smsConsentAt: null,
  chatConsentAt: null,
  closedAt: kept.closedAt ?? now
})

/** Erases the personal data of an order. The order stays counted. */
export const eraseOrder = (order: StoredOrder, now: DateTime.Utc): StoredOrder => ({
  ...order,
  record: { ...order.record, phone: null, email: null, statusUrl: null, checkoutToken: null, fulfilments: [] },
  updatedAt: now
})
