import { transact, type Slice } from "@parley/domain/kernel"
import {
  Contact,
  ContactField,
  ContactFieldId,
  ContactFields,
  ContactId,
  type ContactIdentity,
  type ContactQuery,
  Contacts,
  anyContact,
  type IdentityKind,
  Segment,
  SegmentId,
  Segments,
  Tag,
  TagId,
  Tags
} from "@parley/domain/crm"
import { Arbitrary, DateTime, Effect } from "effect"
import { freshId, freshText, givenOrganization, inside } from "../given.ts"

/** When the contacts of the contracts were made, and when they are changed. */
export const morning = DateTime.makeUnsafe("2026-03-01T08:00:00.125Z")
export const evening = DateTime.makeUnsafe("2026-03-01T20:00:00.875Z")

/** Inside of an organization that has nothing yet. */
export const inNewOrganization = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(givenOrganization(), (organization) => inside(organization)(effect))

/** More than any list here holds. */
export const all = { limit: 1_000, after: null }

/** All contacts, in the order of their ids. */
export const everyone: ContactQuery = { filter: anyContact, search: null, sort: "createdAt" }

export const identity = (kind: IdentityKind, value: string): ContactIdentity => ({
  kind,
  value,
  source: "api",
  addedAt: morning
})

/** A contact that is also known by its phone and email address, if it has any. */
export const newContact = (overrides: Partial<Contact> = {}): Contact => {
  const { email = null, identities = [], phone = null } = overrides
  return new Contact({
    id: freshId(ContactId),
    name: "Ada Lovelace",
    locale: null,
    timezone: null,
    attributes: {},
    tags: [],
    consent: { marketing: "unknown", source: null, changedAt: null },
    blockedAt: null,
    lastSeenAt: null,
    lastInboundAt: null,
    createdAt: morning,
    updatedAt: morning,
    version: 1,
    ...overrides,
    phone,
    email,
    identities: [
      ...(phone === null ? [] : [identity("phone", phone)]),
      ...(email === null ? [] : [identity("email", email)]),
      ...identities
    ]
  })
}

export const newTag = (overrides: Partial<Tag> = {}): Tag =>
  new Tag({
    id: freshId(TagId),
    name: freshText("VIP “%_\\” 🥐"),
    color: "#1f6feb",
    contactCount: 0,
    createdAt: morning,
    updatedAt: morning,
    version: 1,
    ...overrides
  })

export const newField = (overrides: Partial<ContactField> = {}): ContactField =>
  new ContactField({
    id: freshId(ContactFieldId),
    key: "city",
    name: "City “%_\\” 🥐",
    type: "text",
    choices: null,
    status: "active",
    createdAt: morning,
    updatedAt: morning,
    version: 1,
    ...overrides
  })

export const newSegment = (overrides: Partial<Segment> = {}): Segment =>
  new Segment({
    id: freshId(SegmentId),
    name: freshText("Friends “%_\\” 🥐"),
    filter: { field: "name", op: "contains", value: "'%_\\ 🥐" },
    createdAt: morning,
    updatedAt: morning,
    version: 1,
    ...overrides
  })

/** Stores contacts in a separate unit of work and returns the resulting count. */
export const insertContacts = (contacts: ReadonlyArray<Contact>) =>
  Effect.map(
    Effect.flatMap(Contacts, (port) => transact(port.insert(contacts))),
    ({ count }) => count
  )

/** A new contact of the current organization in the store. */
export const givenContact = Effect.fnUntraced(function* (overrides: Partial<Contact> = {}) {
  const contact = newContact(overrides)
  yield* insertContacts([contact]).pipe(Effect.orDie)
  return contact
})

/** A new tag of the current organization in the store. */
export const givenTag = Effect.fnUntraced(function* (overrides: Partial<Tag> = {}) {
  const tag = newTag(overrides)
  yield* transact((yield* Tags).insert(tag)).pipe(Effect.orDie)
  return tag
})

/** A new custom field of the current organization in the store. */
export const givenField = Effect.fnUntraced(function* (overrides: Partial<ContactField> = {}) {
  const field = newField(overrides)
  yield* transact((yield* ContactFields).insert(field)).pipe(Effect.orDie)
  return field
})

/** A new segment of the current organization in the store. */
export const givenSegment = Effect.fnUntraced(function* (overrides: Partial<Segment> = {}) {
  const segment = newSegment(overrides)
  yield* transact((yield* Segments).insert(segment)).pipe(Effect.orDie)
  return segment
})

/** The whole slice of a list, however often it stops on the way. */
export const listed = Effect.fnUntraced(function* (query: ContactQuery, slice: Slice) {
  const contacts = yield* Contacts
  const found: Array<Contact> = []
  let { after } = slice
  do {
    const { resume, rows } = yield* contacts.list(query, { limit: slice.limit - found.length, after })
    found.push(...rows)
    after = resume
  } while (after !== null && found.length < slice.limit)
  return found
})

/** All contacts of the current organization. */
export const everybodyThere = listed(everyone, all)

export const idsOf = <Id extends string>(rows: ReadonlyArray<{ readonly id: Id }>): ReadonlyArray<Id> =>
  rows.map(({ id }) => id)

/** The ids in an order that does not depend on how they came. */
export const sorted = <Id extends string>(ids: Iterable<Id>): ReadonlyArray<Id> => Array.from(ids).toSorted()

/** Dies with the smallest of the drawn values that the property does not hold for. */
export const holds = <A, E, R>(
  arbitrary: Arbitrary.Arbitrary<A>,
  property: (value: A) => Effect.Effect<void, E, R>,
  options: Arbitrary.CheckOptions
) =>
  Effect.flatMap(
    Arbitrary.checkEffect(arbitrary, (value) => Effect.as(Effect.sandbox(property(value)), true), options),
    (result) => {
      const failure = Arbitrary.formatCheckFailure(result)
      return failure === undefined ? Effect.void : Effect.die(new Error(failure))
    }
  )

export const saveContact = (contact: Contact, expected: number | null = null) =>
  Effect.flatMap(Contacts, (contacts) => transact(contacts.save(contact, expected)))

export const saveContacts = (changed: ReadonlyArray<Contact>) =>
  Effect.flatMap(Contacts, (contacts) => transact(contacts.saveAll(changed)))

export const contactCount = Effect.flatMap(Contacts, (contacts) => contacts.count())

export const changedContact = (contact: Contact) =>
  new Contact({
    ...contact,
    name: null,
    username: "countess",
    attributes: { city: "Quito" },
    lastSeenAt: evening,
    updatedAt: evening
  })
