import { DateTime, Effect } from "effect"
import {
  applyContactPatch,
  type Consent,
  type ConsentStep,
  Contact,
  type ContactId,
  Contacts,
  identityLookupKey,
  type IdentityRef,
  findLatestOptOut,
  maxIdentities,
  newIdentities,
  type SuppressedOptOuts,
  withOptOuts
} from "../crm/index.ts"
import type { StoreConnectionId } from "./Ids.ts"
import type { StoreConnection } from "./StoreConnection.ts"
import { StoreCustomers } from "./StoreCustomer.ts"
import { toGuestIdentities } from "./customerIdentities.ts"
import type { ShopConsent } from "./shopRecords.ts"

/**
 * Applies the consent that a person gave in a shop; returns the same object if nothing changes. The latest statement of the person counts.
 * Subscribing in a shop sets an unknown consent and never reverts an earlier statement. Unsubscribing in a shop reverts an earlier statement if it
 * came later.
 */
export const applyShopConsent = (
  before: Consent,
  { at, state }: ShopConsent,
  source: string,
  now: DateTime.Utc
): Consent => {
  const saidAt = at ?? now
  const isLater = before.changedAt === null || DateTime.isGreaterThan(saidAt, before.changedAt)
  const counts =
    isLater &&
    ((state === "subscribed" && before.marketing === "unknown") ||
      // Without a time, the order of the two statements is unknown.
      (state === "unsubscribed" && before.marketing !== "unsubscribed" && (at !== null || before.changedAt === null)))
  return counts ? { marketing: state, source, changedAt: saidAt } : before
}

/** In-memory contacts of a batch of customers. Customers are matched one after the other. This class stores nothing in the database. */
export class CustomerMatcher {
  private readonly owners = new Map<string, ContactId>()
  private readonly current = new Map<ContactId, Contact>()
  private readonly before = new Map<ContactId, Contact>()
  private readonly optOuts: SuppressedOptOuts
  private readonly now: DateTime.Utc

  constructor(found: ReadonlyArray<Contact>, now: DateTime.Utc, optOuts: SuppressedOptOuts = new Map()) {
    this.optOuts = optOuts
    this.now = now
    for (const contact of found) {
      this.before.set(contact.id, contact)
      this.keep(contact)
    }
  }

  private keep(contact: Contact) {
    this.current.set(contact.id, contact)
    for (const identity of contact.identities) this.owners.set(identityLookupKey(identity), contact.id)
  }

  /** Returns the contact of the first identity that a contact has; null if no contact has any of them. */
  holderOf(identities: ReadonlyArray<IdentityRef>): ContactId | null {
    for (const identity of identities) {
      const owner = this.owners.get(identityLookupKey(identity))
      if (owner !== undefined) return owner
    }
    return null
  }

  /** Adds an identity to a contact. Returns false if the contact has no capacity for it. */
  hold(id: ContactId, value: string): boolean {
    const contact = this.current.get(id)
    if (contact === undefined || contact.identities.length >= maxIdentities) return false
    const known = applyContactPatch(contact, { addIdentities: [{ kind: "store_customer", value }] }, "store", this.now)
    this.keep(withOptOuts(known, newIdentities(contact, known), this.optOuts))
    return true
  }

  add(contact: Contact) {
    this.keep(withOptOuts(contact, contact.identities, this.optOuts))
  }

  /** Applies the consent from the shop. A stored opt-out of the person takes precedence. */
  say(id: ContactId, input: ShopConsent, source: string) {
    const contact = this.current.get(id)
    if (contact === undefined) return
    const consent = applyShopConsent(contact.consent, input, source, this.now)
    const isKeptOut = consent.marketing === "subscribed" && findLatestOptOut(contact.identities, this.optOuts) !== null
    if (consent === contact.consent || isKeptOut) return
    this.keep(new Contact({ ...contact, consent, updatedAt: this.now }))
  }

  get added(): ReadonlyArray<Contact> {
    return Array.from(this.current.values()).filter(({ id }) => !this.before.has(id))
  }

  get altered(): ReadonlyArray<{ readonly before: Contact; readonly after: Contact }> {
    return Array.from(this.before.values()).flatMap((before) => {
      const after = this.current.get(before.id) ?? before
      return after === before ? [] : [{ before, after }]
    })
  }

  get consents(): ReadonlyArray<ConsentStep> {
    const changed = [...this.added.map((after) => ({ before: null, after })), ...this.altered]
    return changed.map(({ after, before }) => ({
      contactId: after.id,
      before: before?.consent ?? null,
      after: after.consent,
      evidence: null
    }))
  }

  /** All contacts in their current state. */
  get all(): ReadonlyArray<Contact> {
    return [...this.current.values()]
  }
}

/** Owner references of a record: a customer of the shop, or the identities of a guest. */
export interface OwnedRecord {
  readonly externalCustomerId: string | null
  readonly phone: string | null
  readonly email: string | null
}

/** Owners of the records of a shop. */
export interface RecordOwners {
  /** Whether the owner is closed. No personal data of a closed owner is stored. */
  readonly isClosed: (owned: OwnedRecord) => boolean
  /** Contact of a record. A guest record keeps `before`, because a changed number or address moves no link. */
  readonly contactOf: (owned: OwnedRecord, before: ContactId | null) => ContactId | null
}

const lockCustomers = Effect.fnUntraced(function* (id: StoreConnectionId, owned: ReadonlyArray<OwnedRecord>) {
  const externalIds = new Set(owned.flatMap(({ externalCustomerId }) => externalCustomerId ?? []))
  return yield* (yield* StoreCustomers).lock(id, [...externalIds])
})

/** Locks the possible owners of records of a shop, contacts first, and resolves the owners. */
export const lockOwners = Effect.fnUntraced(function* (connection: StoreConnection, owned: ReadonlyArray<OwnedRecord>) {
  const knownBy = ({ email, phone }: OwnedRecord) => {
    const { emails, phones } = toGuestIdentities({ email, phones: [phone] }, connection)
    return [...phones, ...emails]
  }
  const guests = owned.filter(({ externalCustomerId }) => externalCustomerId === null).flatMap(knownBy)
  const contacts = yield* (yield* Contacts).lockByIdentity(guests)
  const joining = new CustomerMatcher(contacts, yield* DateTime.now)
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
  } satisfies RecordOwners
})
