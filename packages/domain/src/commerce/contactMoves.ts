import type { DateTime } from "effect"
import type { ContactId } from "../crm/index.ts"
import type { KeptCart } from "./Cart.ts"
import type { HeldCommerce } from "./ContactCommerce.ts"
import type { KeptOrder } from "./Order.ts"
import { type KeptCustomer, StoreCustomer } from "./StoreCustomer.ts"

const customerWith = (kept: KeptCustomer, said: Partial<StoreCustomer>, now: DateTime.Utc): KeptCustomer => ({
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
export const movedTo = (held: HeldCommerce, from: ContactId, to: ContactId, now: DateTime.Utc): HeldCommerce => {
  const theirs = <Row extends KeptCart | KeptOrder>(row: Row): Row => ({ ...row, contactId: to, updatedAt: now })
  return {
    customers: held.customers.map((kept) => {
      const contactId = kept.customer.contactId === from ? to : kept.customer.contactId
      const conflictContactId = conflictAfter(kept.customer, contactId, from, to)
      return customerWith(kept, { contactId, conflictContactId }, now)
    }),
    orders: held.orders.map(theirs),
    carts: held.carts.map(theirs)
  }
}

/** What stores hold of contacts, once nobody is there any more. The records stay as what happened in the store. */
export const released = (held: HeldCommerce, gone: ReadonlySet<ContactId>, now: DateTime.Utc): HeldCommerce => {
  const nobodys = <Row extends KeptCart | KeptOrder>(row: Row): Row => ({ ...row, contactId: null, updatedAt: now })
  return {
    customers: held.customers.map((kept) => {
      const { conflictContactId, contactId } = kept.customer
      const isGone = contactId !== null && gone.has(contactId)
      const other = conflictContactId !== null && gone.has(conflictContactId) ? null : conflictContactId
      return customerWith(
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
export const erasedCustomer = (kept: KeptCustomer, now: DateTime.Utc): KeptCustomer => ({
  ...customerWith(kept, { name: null, phone: null, email: null, locale: null, tags: [] }, now),
  smsConsentAt: null,
  closedAt: kept.closedAt ?? now
})

/** An order of which nothing personal is kept: it stays counted. */
export const erasedOrder = (order: KeptOrder, now: DateTime.Utc): KeptOrder => ({
  ...order,
  record: { ...order.record, phone: null, email: null, statusUrl: null, checkoutToken: null, fulfilments: [] },
  updatedAt: now
})
