import { DateTime, Effect } from "effect"
import { ContactDataOwners, type ContactId, Contacts, eraseContact, updateContact } from "../../crm/index.ts"
import { CurrentActor, CurrentOrganization, IdempotencyKeys, nextId } from "../../kernel/index.ts"
import { StoreCarts } from "../Cart.ts"
import { ContactCommerceRecords } from "../ContactCommerce.ts"
import { StoreCustomerId } from "../Ids.ts"
import { OrderLifecycleHook, StoreOrders } from "../Order.ts"
import { noSubject, type DataSubject } from "../PrivacyRequest.ts"
import { SkippedRecords } from "../SkippedRecords.ts"
import type { StoreConnection } from "../StoreConnection.ts"
import { type StoredCustomer, StoreCustomer, StoreCustomers } from "../StoreCustomer.ts"
import { eraseCustomer, eraseOrder } from "../contactTransfers.ts"
import { toGuestIdentities, toCustomerIdentities, newClosedCustomer } from "../customerIdentities.ts"
import { appendEvent } from "../events.ts"
import { publishStoredOrders } from "../receiving/receiveOrders.ts"

const cartBatchSize = 200

/** Deletes the guest carts with this phone number or email address. Returns their number. */
const removeGuestCarts = Effect.fnUntraced(function* (connection: StoreConnection, asked: DataSubject) {
  const carts = yield* StoreCarts
  const namesOf = (person: { readonly phone: string | null; readonly email: string | null }) => {
    const { emails, phones } = toGuestIdentities({ email: person.email, phones: [person.phone] }, connection)
    return [...emails, ...phones].map(({ value }) => value)
  }
  const names = new Set(namesOf(asked))
  const words = new Set([...names, ...[asked.email, asked.phone].filter((word) => word !== null)])
  const found = yield* Effect.forEach(words, (q) =>
    carts.list(
      { storeConnectionId: connection.id, contactId: null, updatedSince: null, state: null, q },
      { limit: cartBatchSize, after: null }
    )
  )
  const theirs = found.flat().filter(({ record }) => namesOf(record).some((name) => names.has(name)))
  const ids = [...new Set(theirs.map(({ id }) => id))]
  yield* (yield* ContactCommerceRecords).removeCarts(ids)
  return ids.length
})

/** Numbers of erased records. */
export interface ErasureCounts {
  readonly customers: number
  readonly orders: number
  readonly carts: number
  readonly contacts: number
}

const eraseAndUnlink = (kept: StoredCustomer, now: DateTime.Utc): StoredCustomer =>
  eraseCustomer(
    {
      ...kept,
      customer: new StoreCustomer({ ...kept.customer, contactId: null, linkedBy: null, conflictContactId: null })
    },
    now
  )

/** Erases a contact that only this shop knows and that has no other activity. Any other contact loses the identities from the shop. */
const eraseOrDetachContact = Effect.fnUntraced(
  function* (contactId: ContactId, wasMade: boolean, connection: StoreConnection, externalIds: ReadonlyArray<string>) {
    const [contact] = yield* (yield* Contacts).find([contactId])
    if (contact === undefined) return false
    const others = yield* (yield* ContactCommerceRecords).heldBy(contactId, 1)
    const isOthers = others.customers.length + others.orders.length + others.carts.length > 0
    if (wasMade && !isOthers && !(yield* (yield* ContactDataOwners).isActive(contactId))) {
      yield* eraseContact({ id: contactId, ifVersion: null })
      return true
    }
    const identities = externalIds.flatMap((externalId) => toCustomerIdentities(connection, externalId))
    const names = new Set(identities.map(({ value }) => value))
    const held = contact.identities.filter(({ kind, value }) => kind === "store_customer" && names.has(value))
    if (held.length > 0) yield* updateContact({ id: contactId, removeIdentities: identities, ifVersion: null })
    return false
  },
  // The shop requests the erasure, so no permission of a member is needed.
  Effect.provideService(CurrentActor, { kind: "system", name: "stores" })
)

/**
 * Erases customers of a shop: their personal data, also in their orders and in orders of `guest`. Deletes their carts
 * and the carts of the guest. Closes the customers, also unknown ones, so that no sync restores them. Contacts are
 * locked before the records that depend on them.
 */
export const eraseCustomers = Effect.fnUntraced(
  function* (connection: StoreConnection, externalIds: ReadonlyArray<string>, guest: DataSubject = noSubject) {
    const now = yield* DateTime.now
    const { id } = connection
    const [customers, orders, carts] = [yield* StoreCustomers, yield* StoreOrders, yield* StoreCarts]
    const identities = externalIds.flatMap((externalId) => toCustomerIdentities(connection, externalId))
    const holders = yield* (yield* Contacts).lockByIdentity(identities)
    const known = yield* customers.lock(id, externalIds)
    const left = yield* orders.lockReferenced(id, {
      externalIds: guest.externalOrderIds,
      externalCustomerIds: externalIds
    })
    const gone = yield* carts.lockOfCustomers(id, externalIds)
    // Runs before the customers are stored, because their orders follow them.
    yield* (yield* OrderLifecycleHook).release(left.map((order) => order.id))
    yield* (yield* SkippedRecords).remove(id, [
      ...externalIds.map((externalId) => ({ kind: "customers" as const, externalId })),
      ...guest.externalOrderIds.map((externalId) => ({ kind: "orders" as const, externalId }))
    ])
    const unknown = externalIds.filter((each) => !known.some(({ customer }) => customer.externalId === each))
    yield* customers.put([
      ...known.map((kept) => eraseAndUnlink(kept, now)),
      ...(yield* Effect.forEach(unknown, (externalId) =>
        Effect.map(nextId(StoreCustomerId), (newId) => newClosedCustomer(newId, connection, externalId, now))
      ))
    ])
    const released = left.map((before) => ({ before, after: { ...eraseOrder(before, now), contactId: null } }))
    yield* orders.put(released.map(({ after }) => after))
    yield* publishStoredOrders(id, released)
    yield* (yield* ContactCommerceRecords).removeCarts(gone.map((cart) => cart.id))
    const guests = yield* removeGuestCarts(connection, guest)
    const made = new Map<ContactId, boolean>(holders.map((holder) => [holder.id, false]))
    for (const { customer } of known) {
      const { contactId, id: storeCustomerId, linkedBy } = customer
      if (contactId === null) continue
      made.set(contactId, linkedBy === "made" || (made.get(contactId) ?? false))
      yield* appendEvent({ type: "customer.unlinked", storeCustomerId, storeConnectionId: id, contactId })
    }
    const erased = yield* Effect.forEach([...made].toSorted(), ([contactId, wasMade]) =>
      eraseOrDetachContact(contactId, wasMade, connection, externalIds)
    )
    yield* (yield* IdempotencyKeys).withdraw((yield* CurrentOrganization).id)
    return {
      customers: known.filter(({ closedAt }) => closedAt === null).length,
      orders: left.length,
      carts: gone.length + guests,
      contacts: erased.filter((isErased) => isErased).length
    } satisfies ErasureCounts
  },
  // The call expects no version and changes no consent, and the records are locked.
  Effect.catchTags({
    ContactExists: Effect.die,
    ContactOptedOut: Effect.die,
    NotFound: Effect.die,
    PermissionDenied: Effect.die,
    VersionConflict: Effect.die,
    ValidationFailed: Effect.die
  })
)
