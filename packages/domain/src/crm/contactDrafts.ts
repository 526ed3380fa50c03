import { type DateTime, Equal } from "effect"
import { withAttributes } from "./Attributes.ts"
import { type Consent, type NewConsent, noConsent } from "./Consent.ts"
import { Contact, type ContactPatch, type NewContact } from "./Contact.ts"
import {
  type ContactId,
  type ContactIdentity,
  type IdentityRef,
  type IdentitySource,
  isSameIdentity
} from "./Identity.ts"

/** Maximum number of identities of a contact. */
export const maxIdentities = 50

const withIdentity = (
  identities: ReadonlyArray<ContactIdentity>,
  added: IdentityRef,
  source: IdentitySource,
  now: DateTime.Utc
): ReadonlyArray<ContactIdentity> =>
  identities.some((identity) => isSameIdentity(identity, added))
    ? identities
    : [...identities, { kind: added.kind, value: added.value, source, addedAt: now }]

const withoutIdentity = (
  identities: ReadonlyArray<ContactIdentity>,
  removed: IdentityRef
): ReadonlyArray<ContactIdentity> => identities.filter((identity) => !isSameIdentity(identity, removed))

/** Applies a declaration to the consent. Repeating the same declaration changes nothing, unless it has evidence. */
export const applyConsent = (before: Consent, input: NewConsent | undefined, now: DateTime.Utc): Consent =>
  input === undefined || (input.state === before.marketing && input.evidence === undefined)
    ? before
    : { marketing: input.state, source: input.source ?? "api", changedAt: now }

/** Builds a new contact. */
export const buildContact = (id: ContactId, input: NewContact, source: IdentitySource, now: DateTime.Utc): Contact => {
  const known: ReadonlyArray<IdentityRef> = [
    ...(input.phone == null ? [] : [{ kind: "phone" as const, value: input.phone }]),
    ...(input.email == null ? [] : [{ kind: "email" as const, value: input.email }]),
    ...(input.identities ?? [])
  ]
  return new Contact({
    id,
    name: input.name ?? null,
    phone: input.phone ?? null,
    email: input.email ?? null,
    identities: known.reduce<ReadonlyArray<ContactIdentity>>(
      (identities, each) => withIdentity(identities, each, source, now),
      []
    ),
    locale: input.locale ?? null,
    timezone: input.timezone ?? null,
    attributes: withAttributes({}, input.attributes ?? {}),
    tags: (input.tags ?? []).toSorted(),
    consent: applyConsent(noConsent, input.marketing, now),
    blockedAt: null,
    lastSeenAt: null,
    lastInboundAt: null,
    createdAt: now,
    updatedAt: now,
    version: 1
  })
}

const hasIdentity = (identities: ReadonlyArray<IdentityRef>, { kind, value }: IdentityRef): boolean =>
  identities.some((identity) => identity.kind === kind && identity.value === value)

/** A new number or address replaces the primary one. Choosing a known one as primary drops none. */
const replacePrimary = (
  identities: ReadonlyArray<ContactIdentity>,
  kind: "phone" | "email",
  before: string | null,
  after: string | null | undefined,
  source: IdentitySource,
  now: DateTime.Utc
): ReadonlyArray<ContactIdentity> => {
  if (after === undefined || after === before) return identities
  const left = before === null ? identities : withoutIdentity(identities, { kind, value: before })
  if (after === null) return left
  const identity = { kind, value: after }
  if (hasIdentity(identities, identity)) return identities
  const others = withoutIdentity(identities, identity)
  // Known in another notation: the latest notation wins.
  const isKnown = others.length < identities.length
  return withIdentity(isKnown ? others : left, identity, source, now)
}

/** The next identity of the kind replaces a dropped primary one, but not a cleared one. */
const choosePrimary = (
  before: Contact,
  identities: ReadonlyArray<ContactIdentity>,
  kind: "phone" | "email",
  input: string | null | undefined
): string | null => {
  if (input !== undefined) return input
  const held = before[kind]
  if (held !== null && hasIdentity(identities, { kind, value: held })) return held
  const others = identities.filter((identity) => identity.kind === kind)
  const next = held === null ? others.find((identity) => !before.identities.includes(identity)) : others[0]
  return next?.value ?? null
}

const updateIdentities = (before: Contact, patch: ContactPatch, source: IdentitySource, now: DateTime.Utc) => {
  const phones = replacePrimary(before.identities, "phone", before.phone, patch.phone, source, now)
  const emails = replacePrimary(phones, "email", before.email, patch.email, source, now)
  const { addIdentities: added = [], removeIdentities: removed = [] } = patch
  const staying: ReadonlyArray<IdentityRef> = [
    ...(patch.phone == null ? [] : [{ kind: "phone" as const, value: patch.phone }]),
    ...(patch.email == null ? [] : [{ kind: "email" as const, value: patch.email }]),
    ...added
  ]
  const fewer = removed
    .filter((each) => !staying.some((identity) => isSameIdentity(identity, each)))
    .reduce(withoutIdentity, emails)
  return added.reduce((identities, each) => withIdentity(identities, each, source, now), fewer)
}

/** Compares two contacts, ignoring timestamps. */
const isSameContent = (one: Contact, other: Contact): boolean =>
  Equal.equals({ ...one, updatedAt: null }, { ...other, updatedAt: null })

/** Applies a change to a contact. Returns the same object if nothing differs. */
export const applyContactPatch = (
  before: Contact,
  patch: ContactPatch,
  source: IdentitySource,
  now: DateTime.Utc
): Contact => {
  const identities = updateIdentities(before, patch, source, now)
  const { blocked = before.blockedAt !== null } = patch
  const after = new Contact({
    ...before,
    name: patch.name === undefined ? before.name : patch.name,
    phone: choosePrimary(before, identities, "phone", patch.phone),
    email: choosePrimary(before, identities, "email", patch.email),
    identities,
    locale: patch.locale === undefined ? before.locale : patch.locale,
    timezone: patch.timezone === undefined ? before.timezone : patch.timezone,
    attributes: withAttributes(before.attributes, patch.attributes ?? {}),
    consent: applyConsent(before.consent, patch.marketing, now),
    blockedAt: blocked ? (before.blockedAt ?? now) : null,
    updatedAt: now
  })
  return isSameContent(before, after) ? before : after
}
