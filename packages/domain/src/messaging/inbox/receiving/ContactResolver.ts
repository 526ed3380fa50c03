import { DateTime } from "effect"
import {
  applyContactPatch,
  type Consent,
  type ConsentState,
  type ConsentStep,
  Contact,
  ContactId,
  type ContactIdentity,
  buildContact,
  identityLookupKey,
  type IdentityPair,
  type IdentityRef,
  isSameIdentity,
  isSelfDeclared,
  maxIdentities,
  type OtherIdentity,
  type ReceivedContacts,
  type ReservedSource,
  type SuppressedOptOuts,
  withOptOuts
} from "../../../crm/index.ts"
import type { Recipient } from "../../chat/index.ts"
import { sanitizeName } from "./plainText.ts"
import {
  nonPhoneIdentities,
  sanitizeUsername,
  type SenderDetails,
  senderIdentities,
  type SenderIds,
  senderPairs,
  toPhoneNumber
} from "./senders.ts"

/** Marketing consent that a contact gave or withdrew through a provider. */
export interface DeclaredConsent {
  readonly state: ConsentState
  readonly source: ReservedSource
  readonly evidence: string | null
  readonly at: DateTime.Utc
}

const later = (one: DateTime.Utc | null, other: DateTime.Utc) => (one === null ? other : DateTime.max(one, other))

/** Whether the identity of the contact belongs to another person at this time. */
const isFormerAt = ({ identities }: Contact, identity: IdentityRef, at: DateTime.Utc | null): boolean => {
  const since = identities.find((each) => isSameIdentity(each, identity))?.formerSince
  return since !== undefined && at !== null && DateTime.isGreaterThan(at, since)
}

const toSeconds = (at: DateTime.Utc) => Math.floor(DateTime.toEpochMillis(at) / 1_000)

/** Whether this is newer than the stored consent. Providers report whole seconds; within one second an opt-out wins. */
const isNewer = ({ consent }: Contact, { at, state }: DeclaredConsent) => {
  if (consent.changedAt === null) return true
  if (state === consent.marketing || state === "subscribed") return DateTime.isGreaterThan(at, consent.changedAt)
  return toSeconds(at) >= toSeconds(consent.changedAt)
}

/** Resolves the senders of a batch of events to known and new contacts. Each event sees the additions of earlier events. Nothing is stored here. */
export class ContactResolver {
  private readonly owners = new Map<string, ContactId>()
  private readonly current = new Map<ContactId, Contact>()
  private readonly stored = new Map<ContactId, Contact>()
  private readonly consents: Array<ConsentStep> = []
  private readonly together = new Map<string, IdentityPair>()
  private readonly imported = new Set<ContactId>()
  private readonly optOuts: SuppressedOptOuts
  private readonly now: DateTime.Utc
  private readonly nextId: () => string

  constructor(stored: ReadonlyArray<Contact>, optOuts: SuppressedOptOuts, now: DateTime.Utc, nextId: () => string) {
    this.optOuts = optOuts
    this.now = now
    this.nextId = nextId
    for (const contact of stored) {
      this.stored.set(contact.id, contact)
      this.keep(contact)
    }
  }

  private keep(contact: Contact): Contact {
    for (const identity of contact.identities) {
      const place = identityLookupKey(identity)
      if (!this.owners.has(place)) this.owners.set(place, contact.id)
    }
    this.current.set(contact.id, contact)
    return contact
  }

  private owner(identity: IdentityRef): Contact | null {
    const id = this.owners.get(identityLookupKey(identity))
    return id === undefined ? null : (this.current.get(id) ?? null)
  }

  /**
   * Finds the known contact. If the chat user and the phone number belong to two contacts, the chat user's contact wins. The provider gives that id
   * to one person, while numbers pass from one to another. Then neither contact changes, and they are proposed as duplicates.
   */
  find(reported: SenderIds, at: DateTime.Utc | null = null): Contact | null {
    for (const identity of senderIdentities(reported)) {
      const found = this.owner(identity)
      // Another person has a former number. Without an own id of that person, the report can be of either one.
      if (found !== null && (reported.chatUser === null || !isFormerAt(found, identity, at))) return found
    }
    return null
  }

  /** Returns the known contact with the sender's unassigned identities added, or a new contact. */
  resolve(
    received: SenderIds,
    { at = null, isImported = false, name, username: reported }: SenderDetails
  ): Contact | null {
    const identities = senderIdentities(received)
    if (identities.length === 0) return null
    const found = this.find(received, at)
    for (const pair of senderPairs(received)) this.notePair(pair)
    if (found !== null && at !== null) this.confirmPhone(found, received, at)
    const called = sanitizeName(name)
    const username = sanitizeUsername(reported)
    if (found === null) {
      const known = toPhoneNumber(received.phone)
      const isTaken = known !== null && this.owner({ kind: "phone", value: known }) !== null
      const phone = isTaken ? null : known
      const fields = { name: called, phone, identities: nonPhoneIdentities(received) }
      const built = buildContact(ContactId.make(this.nextId()), fields, "chat", this.now)
      const draft = username === null ? built : new Contact({ ...built, username })
      if (isImported) this.imported.add(draft.id)
      return this.withOptOuts(null, draft, identities)
    }
    if (!isImported) this.imported.delete(found.id)
    const unknown = identities.filter((identity) => !this.owners.has(identityLookupKey(identity)))
    const current = this.current.get(found.id) ?? found
    const named = current.name === null && called !== null ? { name: called } : {}
    return this.withUsername(this.change(current, unknown, named), username)
  }

  /** Records the latest username. Another person can get it later, so it identifies no contact. */
  private withUsername(before: Contact, username: string | null): Contact {
    if (username === null || before.username === username) return before
    return this.keep(new Contact({ ...before, username, updatedAt: this.now }))
  }

  /** Records that two identities of one sender belong to different contacts. */
  private notePair([one, other]: IdentityPair) {
    const [first, second] = [this.owner(one), this.owner(other)]
    if (first === null || second === null || first.id === second.id) return
    this.together.set(`${identityLookupKey(one)} ${identityLookupKey(other)}`, [one, other])
  }

  /** Records that an identity of the contact belongs to another person from this time on; `null` if it is the contact's own again. */
  private setFormer(id: ContactId, way: IdentityRef, since: DateTime.Utc | null): void {
    const before = this.current.get(id)
    const known = before?.identities.find((each) => isSameIdentity(each, way))
    if (before === undefined || known === undefined || (known.formerSince ?? null) === since) return
    const { formerSince: _, ...own } = known
    const changed: ContactIdentity = since === null ? own : { ...own, formerSince: since }
    const identities = before.identities.map((each) => (each === known ? changed : each))
    this.keep(new Contact({ ...before, identities, updatedAt: this.now }))
  }

  /**
   * Decides about the phone number that the provider reported together with the user id of this contact. It is the contact's own again, or no longer
   * the number of another contact that is certainly another person.
   */
  private confirmPhone(contact: Contact, reported: SenderIds, at: DateTime.Utc): void {
    const phone = toPhoneNumber(reported.phone)
    if (phone === null || reported.chatUser === null) return
    const way: IdentityRef = { kind: "phone", value: phone }
    const holder = this.owner(way)
    if (holder === null) return
    if (holder.id === contact.id) {
      if (isFormerAt(holder, way, at)) this.setFormer(holder.id, way, null)
      return
    }
    const isAnother =
      holder.identities.some(({ kind }) => kind === "chat_user") ||
      contact.identities.some(({ kind }) => kind === "phone")
    if (isAnother && !isFormerAt(holder, way, at)) this.setFormer(holder.id, way, at)
  }

  private change(before: Contact, identities: ReadonlyArray<IdentityRef>, named: { readonly name?: string }): Contact {
    const room = maxIdentities - before.identities.length
    const added = identities.slice(0, Math.max(0, room)) as ReadonlyArray<OtherIdentity>
    if (added.length === 0 && named.name === undefined) return before
    return this.withOptOuts(
      before,
      applyContactPatch(before, { ...named, addIdentities: added }, "chat", this.now),
      added
    )
  }

  /** Adds ids of the person at the provider. The old ones stay identities, because events with them can follow. */
  addIds(id: ContactId, reported: SenderIds): void {
    const before = this.current.get(id)
    if (before === undefined) return
    const identities = senderIdentities(reported)
    const [known] = before.identities
    for (const identity of identities) if (known !== undefined) this.notePair([known, identity])
    this.change(
      before,
      identities.filter((identity) => !this.owners.has(identityLookupKey(identity))),
      {}
    )
  }

  /** Applies the opt-outs on the suppression list to a contact that has new identities. */
  private withOptOuts(before: Contact | null, contact: Contact, added: ReadonlyArray<IdentityRef>): Contact {
    const after = withOptOuts(contact, added, this.optOuts)
    const { consent, id } = after
    this.consents.push({ contactId: id, before: before?.consent ?? null, after: consent, evidence: null })
    return this.keep(after)
  }

  /**
   * Applies a new number of the person. It becomes the contact's phone, unless it belongs to another contact. The former number stays an identity,
   * because late events can contain it, and can belong to another person from this time on.
   */
  renumber(id: ContactId, name: string, former: string | null, at: DateTime.Utc): void {
    const before = this.current.get(id)
    const phone = toPhoneNumber(name)
    if (before === undefined || phone === null) return
    const identity: IdentityRef = { kind: "phone", value: phone }
    const owner = this.owner(identity)
    if (owner !== null && owner.id !== id) return
    const known = this.change(before, owner === null ? [identity] : [], {})
    if (known.identities.some(({ kind, value }) => kind === "phone" && value === phone)) {
      this.keep(applyContactPatch(known, { phone }, "chat", this.now))
      const left = toPhoneNumber(former)
      if (left !== null && left !== phone) this.setFormer(id, { kind: "phone", value: left }, at)
    }
  }

  /** Records the time of the person's message. */
  recordInbound(id: ContactId, at: DateTime.Utc): void {
    const before = this.current.get(id)
    if (before === undefined) return
    const lastInboundAt = later(before.lastInboundAt, at)
    const lastSeenAt = later(before.lastSeenAt, at)
    this.current.set(id, new Contact({ ...before, lastInboundAt, lastSeenAt, updatedAt: this.now }))
  }

  /** Records marketing consent that the person gave or withdrew. The latest one wins, in any order of arrival. */
  recordConsent(id: ContactId, reported: DeclaredConsent): void {
    const before = this.current.get(id)
    if (before === undefined || !isNewer(before, reported)) return
    const { at, evidence, source, state } = reported
    // A rejection by the provider repeats the contact's declaration. It is not a second opt-out.
    if (source === "chat_refusal" && before.consent.marketing === state && isSelfDeclared(before.consent)) return
    const changedAt = later(before.consent.changedAt, at)
    const consent: Consent = { marketing: state, source, changedAt }
    this.current.set(id, new Contact({ ...before, consent, updatedAt: this.now }))
    this.consents.push({ contactId: id, before: before.consent, after: consent, evidence })
  }

  /**
   * Returns the sender's identities for messages to this contact; the phone number precedes the chat user id. Identities of other contacts are
   * excluded.
   */
  recipientsOf(id: ContactId, reported: SenderIds): ReadonlyArray<Recipient> {
    const { parentUser: _, ...own } = reported
    const identities = senderIdentities(own)
    // The parent id addresses the same person, so it is used only without another one.
    return (identities.length === 0 ? senderIdentities(reported) : identities)
      .flatMap(({ kind, value }): ReadonlyArray<Recipient> =>
        kind === "phone" || kind === "chat_user" || kind === "external" ? [{ kind, value }] : []
      )
      .filter((way) => (this.owner(way)?.id ?? id) === id)
      .toSorted((one) => (one.kind === "phone" ? -1 : 1))
  }

  /** Returns the current phone for a former number. A late message from the former number also opens the window of the phone. */
  successorOf(id: ContactId, ways: ReadonlyArray<Recipient>): ReadonlyArray<Recipient> {
    const contact = this.current.get(id)
    if (contact === undefined || contact.phone === null) return []
    const next: Recipient = { kind: "phone", value: contact.phone }
    const isFormer = contact.identities.some(
      (each) => each.formerSince !== undefined && ways.some((way) => isSameIdentity(each, way))
    )
    return isFormer && !ways.some((way) => isSameIdentity(way, next)) ? [next] : []
  }

  isStored(id: ContactId): boolean {
    return this.stored.has(id)
  }

  /** Whether a keyword is the reason for the contact's opt-out. */
  isOutByWord(id: ContactId): boolean {
    const consent = this.current.get(id)?.consent
    return consent?.marketing === "unsubscribed" && consent.source === "chat_keyword"
  }

  isBlocked(id: ContactId): boolean {
    return (this.current.get(id)?.blockedAt ?? null) !== null
  }

  get changes(): ReceivedContacts {
    return {
      added: Array.from(this.current.values()).filter(({ id }) => !this.stored.has(id)),
      altered: Array.from(this.stored.values()).flatMap((before) => {
        const after = this.current.get(before.id) ?? before
        return after === before ? [] : [{ before, after }]
      }),
      consents: this.consents,
      identityPairs: [...this.together.values()],
      imported: this.imported,
      all: [...this.current.values()]
    }
  }
}
