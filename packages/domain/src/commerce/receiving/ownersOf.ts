import { DateTime, Effect } from "effect"
import { type ContactId, Contacts } from "../../crm/index.ts"
import type { StoreConnectionId } from "../Ids.ts"
import { guestKnownBy } from "../joining/identitiesOf.ts"
import { Joining } from "../joining/Joining.ts"
import type { StoreConnection } from "../StoreConnection.ts"
import { StoreCustomers } from "../StoreCustomers.ts"

/** What says whose something is: a customer of the shop, or how a guest is known. */
export interface Owned {
  readonly externalCustomerId: string | null
  readonly phone: string | null
  readonly email: string | null
}

/** Whose what is in a shop is. */
export interface Owners {
  /** Of whom nothing is kept any more. */
  readonly isClosed: (owned: Owned) => boolean
  /** `before` stays with a guest: a number or an address that changes moves no link. */
  readonly contactOf: (owned: Owned, before: ContactId | null) => ContactId | null
}

const lockCustomers = Effect.fnUntraced(function* (id: StoreConnectionId, owned: ReadonlyArray<Owned>) {
  const externalIds = new Set(owned.flatMap(({ externalCustomerId }) => externalCustomerId ?? []))
  return yield* (yield* StoreCustomers).lock(id, [...externalIds])
})

/** Locks whoever the records of a shop may belong to, contacts first, and says whose they are. */
export const ownersOf = Effect.fnUntraced(function* (connection: StoreConnection, owned: ReadonlyArray<Owned>) {
  const knownBy = ({ email, phone }: Owned) => {
    const { emails, phones } = guestKnownBy({ email, phones: [phone] }, connection)
    return [...phones, ...emails]
  }
  const guests = owned.filter(({ externalCustomerId }) => externalCustomerId === null).flatMap(knownBy)
  const contacts = yield* (yield* Contacts).lockByIdentity(guests)
  const joining = new Joining(contacts, yield* DateTime.now)
  const customers = new Map(
    (yield* lockCustomers(connection.id, owned)).map((kept) => [kept.customer.externalId, kept])
  )
  return {
    isClosed: ({ externalCustomerId }) =>
      externalCustomerId !== null && (customers.get(externalCustomerId)?.closedAt ?? null) !== null,
    contactOf: (record, before) =>
      record.externalCustomerId === null
        ? (before ?? joining.holderOf(knownBy(record)))
        : (customers.get(record.externalCustomerId)?.customer.contactId ?? null)
  } satisfies Owners
})
