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
 * What a contact's consent is after a shop has said what the person told it; the very same where nothing follows. The last word of the person
 * counts: to subscribe in a shop answers a question that nobody has asked yet, and never takes back a word; to unsubscribe there does, if it came later.
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
      // Without a time nobody can say which word was the last one.
      (state === "unsubscribed" && before.marketing !== "unsubscribed" && (at !== null || before.changedAt === null)))
  return counts ? { marketing: state, source, changedAt: saidAt } : before
}

/** The contacts of a batch of customers while these are joined with them, one after the other. Nothing is stored here. */
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

  /** Whoever is known by the first of these that anybody is known by. */
  holderOf(identities: ReadonlyArray<IdentityRef>): ContactId | null {
    for (const identity of identities) {
      const owner = this.owners.get(identityLookupKey(identity))
      if (owner !== undefined) return owner
    }
    return null
  }

  /** Has a contact known by this from now on; says whether it has room for that. */
  hold(id: ContactId, value: string): boolean {
    const contact = this.current.get(id)
    if (contact === undefined || contact.identities.length >= maxIdentities) return false
    const known = applyContactPatch(contact, { addIdentities: [{ kind: "store_customer", value }] }, "store", this.now)
    this.keep(withOptOuts(known, newIdentities(contact, known), this.optOuts))
    return true
  }

  /** Adds a contact. */
  add(contact: Contact) {
    this.keep(withOptOuts(contact, contact.identities, this.optOuts))
  }

  /** Takes what somebody has said in the shop. An opt-out that is kept of the person stands. */
  say(id: ContactId, said: ShopConsent, source: string) {
    const contact = this.current.get(id)
    if (contact === undefined) return
    const consent = applyShopConsent(contact.consent, said, source, this.now)
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

  /** Everybody, as they are now. */
  get all(): ReadonlyArray<Contact> {
    return [...this.current.values()]
  }
}

/** What says whose something is: a customer of the shop, or how a guest is known. */
export interface OwnedRecord {
  readonly externalCustomerId: string | null
  readonly phone: string | null
  readonly email: string | null
}

/** Whose what is in a shop is. */
export interface RecordOwners {
  /** Of whom nothing is kept any more. */
  readonly isClosed: (owned: OwnedRecord) => boolean
  /** `before` stays with a guest: a number or an address that changes moves no link. */
  readonly contactOf: (owned: OwnedRecord, before: ContactId | null) => ContactId | null
}

const lockCustomers = Effect.fnUntraced(function* (id: StoreConnectionId, owned: ReadonlyArray<OwnedRecord>) {
  const externalIds = new Set(owned.flatMap(({ externalCustomerId }) => externalCustomerId ?? []))
  return yield* (yield* StoreCustomers).lock(id, [...externalIds])
})

/** Locks whoever the records of a shop may belong to, contacts first, and says whose they are. */
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
