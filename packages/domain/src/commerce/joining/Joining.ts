import type { DateTime } from "effect"
import {
  changedContact,
  type ConsentStep,
  Contact,
  type ContactId,
  identityName,
  type IdentityRef,
  latestOptOut,
  mostIdentities,
  newIdentities,
  type SuppressedOptOuts,
  withOptOuts
} from "../../crm/index.ts"
import type { ShopConsent } from "../records/CustomerRecord.ts"
import { afterShopConsent } from "./shopConsent.ts"

/** The contacts of a batch of customers while these are joined with them, one after the other. Nothing is stored here. */
export class Joining {
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
    for (const identity of contact.identities) this.owners.set(identityName(identity), contact.id)
  }

  /** Whoever is known by the first of these that anybody is known by. */
  holderOf(identities: ReadonlyArray<IdentityRef>): ContactId | null {
    for (const identity of identities) {
      const owner = this.owners.get(identityName(identity))
      if (owner !== undefined) return owner
    }
    return null
  }

  /** Has a contact known by this from now on; says whether it has room for that. */
  hold(id: ContactId, value: string): boolean {
    const contact = this.current.get(id)
    if (contact === undefined || contact.identities.length >= mostIdentities) return false
    const known = changedContact(contact, { addIdentities: [{ kind: "store_customer", value }] }, "store", this.now)
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
    const consent = afterShopConsent(contact.consent, said, source, this.now)
    const isKeptOut = consent.marketing === "subscribed" && latestOptOut(contact.identities, this.optOuts) !== null
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
