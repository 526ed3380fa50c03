import { DateTime, Schema } from "effect"
import type { Recipient, Sender } from "../../chat/index.ts"
import {
  changedContact,
  type ConsentState,
  Contact,
  ContactId,
  draftContact,
  identityName,
  type IdentityRef,
  type SuppressedOptOuts,
  type ReceivedContacts,
  mostIdentities,
  OtherIdentity,
  parsePhoneNumber,
  PhoneNumber,
  type ReceivedConsent,
  type IdentityPair,
  withOptOuts
} from "../../crm/index.ts"
import { plainName } from "./plainText.ts"

/** Who a provider says it was: a user may have no phone number. */
export type Told = Pick<Sender, "phone" | "chatUser" | "external">

const isPhone = Schema.is(PhoneNumber)
const isOtherId = Schema.is(OtherIdentity.fields.value)

/** The number in the spelling that contacts are known by, also one that no numbering plan knows of. */
const phoneOf = (told: string | null): PhoneNumber | null => {
  if (told === null) return null
  const written = told.startsWith("+") ? told : `+${told}`
  return parsePhoneNumber(written) ?? (isPhone(written) ? written : null)
}

/** Who it is besides a phone number: the provider's own user, or whom another system knows by an id. */
const othersOf = ({
  chatUser,
  external
}: Told): ReadonlyArray<OtherIdentity & { readonly kind: "chat_user" | "external" }> => [
  ...(chatUser !== null && isOtherId(chatUser) ? [{ kind: "chat_user" as const, value: chatUser }] : []),
  ...(external !== undefined && isOtherId(external) ? [{ kind: "external" as const, value: external }] : [])
]

/** What a person may be known by, as far as the provider tells. */
export const identitiesOf = (told: Told): ReadonlyArray<IdentityRef> => {
  const phone = phoneOf(told.phone)
  return [...othersOf(told), ...(phone === null ? [] : [{ kind: "phone" as const, value: phone }])]
}

/** What a message was sent to, of what is told: the phone number before the chat user id. */
export const wayTo = (told: Told): Recipient | null => {
  const phone = phoneOf(told.phone)
  if (phone !== null) return { kind: "phone", value: phone }
  return othersOf(told)[0] ?? null
}

const later = (one: DateTime.Utc | null, other: DateTime.Utc) => (one === null ? other : DateTime.max(one, other))

const secondOf = (at: DateTime.Utc) => Math.floor(DateTime.toEpochMillis(at) / 1_000)

/** Whether this was said after what is known. Providers tell whole seconds; within one of them, to stop weighs more. */
const isNews = ({ consent }: Contact, { at, state }: Omit<ReceivedConsent, "contactId">) => {
  if (consent.changedAt === null) return true
  if (state === consent.marketing || state === "subscribed") return DateTime.isGreaterThan(at, consent.changedAt)
  return secondOf(at) >= secondOf(consent.changedAt)
}

/** Contacts while events are worked through: each event finds whom the ones before it have met. Nothing is stored here. */
export class Meeting {
  private readonly owners = new Map<string, ContactId>()
  private readonly current = new Map<ContactId, Contact>()
  private readonly stored = new Map<ContactId, Contact>()
  private readonly consents: Array<ReceivedConsent> = []
  private readonly together = new Map<string, IdentityPair>()
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
      const place = identityName(identity)
      if (!this.owners.has(place)) this.owners.set(place, contact.id)
    }
    this.current.set(contact.id, contact)
    return contact
  }

  private owner(identity: IdentityRef): Contact | null {
    const id = this.owners.get(identityName(identity))
    return id === undefined ? null : (this.current.get(id) ?? null)
  }

  /**
   * Who it is, if that is known. Where the chat user and the phone number are those of two contacts, it is the chat user's:
   * the provider gives that id to one person, while numbers pass from one to another. Neither is changed then; that they may
   * be one is proposed.
   */
  find(told: Told): Contact | null {
    for (const identity of identitiesOf(told)) {
      const found = this.owner(identity)
      if (found !== null) return found
    }
    return null
  }

  /** Who it is: whom one of the identities is known of, with those that nobody has yet, or else somebody new. */
  meet(told: Told, name: string | null): Contact | null {
    const identities = identitiesOf(told)
    if (identities.length === 0) return null
    const found = this.find(told)
    this.compare(identities)
    const called = plainName(name)
    if (found === null) {
      const phone = phoneOf(told.phone)
      const said = { name: called, phone, identities: othersOf(told) }
      return this.heed(draftContact(ContactId.make(this.nextId()), said, "chat", this.now), identities)
    }
    const unknown = identities.filter((identity) => !this.owners.has(identityName(identity)))
    const named = found.name === null && called !== null ? { name: called } : {}
    return this.change(found, unknown, named)
  }

  /** Keeps that these were told together, where they are those of several contacts. */
  private compare([one, other]: ReadonlyArray<IdentityRef>) {
    if (one === undefined || other === undefined) return
    const [first, second] = [this.owner(one), this.owner(other)]
    if (first === null || second === null || first.id === second.id) return
    this.together.set(`${identityName(one)} ${identityName(other)}`, [one, other])
  }

  private change(before: Contact, identities: ReadonlyArray<IdentityRef>, named: { readonly name?: string }): Contact {
    const room = mostIdentities - before.identities.length
    const added = identities.slice(0, Math.max(0, room)) as ReadonlyArray<OtherIdentity>
    if (added.length === 0 && named.name === undefined) return before
    return this.heed(changedContact(before, { ...named, addIdentities: added }, "chat", this.now), added)
  }

  /** Lets the opt-outs count that are kept of what a contact is known by from now on. */
  private heed(contact: Contact, added: ReadonlyArray<IdentityRef>): Contact {
    const heeded = withOptOuts(contact, added, this.optOuts)
    const { changedAt, marketing, source } = heeded.consent
    if (heeded !== contact && changedAt !== null && source !== null) {
      this.consents.push({ contactId: contact.id, state: marketing, source, evidence: null, at: changedAt })
    }
    return this.keep(heeded)
  }

  /** The person has another number now. It is the one to write to, unless it is somebody else's; the one before stays known. */
  renumber(id: ContactId, told: string): void {
    const before = this.current.get(id)
    const phone = phoneOf(told)
    if (before === undefined || phone === null) return
    const identity: IdentityRef = { kind: "phone", value: phone }
    const owner = this.owner(identity)
    if (owner !== null && owner.id !== id) return
    const known = this.change(before, owner === null ? [identity] : [], {})
    if (known.identities.some(({ kind, value }) => kind === "phone" && value === phone)) {
      this.keep(changedContact(known, { phone }, "chat", this.now))
    }
  }

  /** The person has written. */
  seen(id: ContactId, at: DateTime.Utc): void {
    const before = this.current.get(id)
    if (before === undefined) return
    const lastInboundAt = later(before.lastInboundAt, at)
    const lastSeenAt = later(before.lastSeenAt, at)
    this.current.set(id, new Contact({ ...before, lastInboundAt, lastSeenAt, updatedAt: this.now }))
  }

  /** The person has said something about marketing. What was said later stands, whatever the order in which that is told. */
  tell(id: ContactId, told: Omit<ReceivedConsent, "contactId">): void {
    const before = this.current.get(id)
    if (before === undefined || !isNews(before, told)) return
    const { at, source, state } = told
    const changedAt = later(before.consent.changedAt, at)
    const consent = { marketing: state satisfies ConsentState, source, changedAt }
    this.current.set(id, new Contact({ ...before, consent, updatedAt: this.now }))
    this.consents.push({ ...told, contactId: id })
  }

  /**
   * What this contact can be written to by, of what is told: the phone number before the chat user id. Nothing that is
   * another contact's.
   */
  waysOf(id: ContactId, told: Told): ReadonlyArray<Recipient> {
    return identitiesOf(told)
      .flatMap(({ kind, value }): ReadonlyArray<Recipient> =>
        kind === "phone" || kind === "chat_user" || kind === "external" ? [{ kind, value }] : []
      )
      .filter((way) => (this.owner(way)?.id ?? id) === id)
      .toSorted((one) => (one.kind === "phone" ? -1 : 1))
  }

  isStored(id: ContactId): boolean {
    return this.stored.has(id)
  }

  isBlocked(id: ContactId): boolean {
    return (this.current.get(id)?.blockedAt ?? null) !== null
  }

  /** What is to be stored. */
  get met(): ReceivedContacts {
    return {
      added: Array.from(this.current.values()).filter(({ id }) => !this.stored.has(id)),
      altered: Array.from(this.stored.values()).flatMap((before) => {
        const after = this.current.get(before.id) ?? before
        return after === before ? [] : [{ before, after }]
      }),
      consents: this.consents,
      identityPairs: [...this.together.values()],
      all: [...this.current.values()]
    }
  }
}
