import type { DateTime } from "effect"
import type { ContactId } from "../crm/index.ts"
import type { StoredCart } from "./Cart.ts"
import type { ContactCommerceData } from "./ContactCommerce.ts"
import type { StoredOrder } from "./Order.ts"
import { type StoredCustomer, StoreCustomer } from "./StoreCustomer.ts"

const updateCustomer = (kept: StoredCustomer, said: Partial<StoreCustomer>, now: DateTime.Utc): StoredCustomer => ({
  ...kept,
  customer: new StoreCustomer({ ...kept.customer, ...said, updatedAt: now })
})

/** The other contact whom a customer may be, once one contact has become a part of another. */
const conflictAfter = (
  { conflictContactId }: StoreCustomer,
  contactId: ContactId | null,
  from: ContactId,
  to: ContactId
) => {
  const after = conflictContactId === from ? to : conflictContactId
  return after === contactId ? null : after
}

/** What stores hold of contacts, once one of them has become a part of another. */
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

/** What stores hold of contacts, once nobody is there any more. The records stay as what happened in the store. */
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

/** A customer of whom nothing personal is kept. It is closed, so that no sync brings the person back. */
export const eraseCustomer = (kept: StoredCustomer, now: DateTime.Utc): StoredCustomer => ({
  ...updateCustomer(kept, { name: null, phone: null, email: null, locale: null, tags: [] }, now),
  smsConsentAt: null,
  closedAt: kept.closedAt ?? now
})

/** An order of which nothing personal is kept: it stays counted. */
export const eraseOrder = (order: StoredOrder, now: DateTime.Utc): StoredOrder => ({
  ...order,
  record: { ...order.record, phone: null, email: null, statusUrl: null, checkoutToken: null, fulfilments: [] },
  updatedAt: now
})
