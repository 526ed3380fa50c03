import { DateTime, Equal } from "effect"
import type { Consent } from "./Consent.ts"
import { Contact } from "./Contact.ts"
import type { ContactMerge } from "./ContactMerge.ts"
import { type ContactIdentity, sameIdentity } from "./Identity.ts"
import { isCopy } from "./optOuts.ts"
import type { ContactMergeId, TagId } from "./Ids.ts"

const latest = (one: DateTime.Utc | null, other: DateTime.Utc | null): DateTime.Utc | null =>
  one === null ? other : other === null ? one : DateTime.max(one, other)

const saidLast = (one: Consent, other: Consent): Consent =>
  other.changedAt !== null && (one.changedAt === null || DateTime.isGreaterThan(other.changedAt, one.changedAt))
    ? other
    : one

/** Whoever has unsubscribed stays so, under whichever identity it was said; else what was said last counts. */
const joinedConsent = (one: Consent, other: Consent): Consent => {
  const refusals = [one, other].filter(({ marketing }) => marketing === "unsubscribed")
  const [refusal, second] = refusals
  if (refusal === undefined) return saidLast(one, other)
  // What was only shared with one of the two is the other's word.
  if (second !== undefined && isCopy(refusal) !== isCopy(second)) return isCopy(refusal) ? second : refusal
  return second === undefined ? refusal : saidLast(refusal, second)
}

const union = (one: ReadonlyArray<ContactIdentity>, other: ReadonlyArray<ContactIdentity>) => [
  ...one,
  ...other.filter((each) => !one.some((identity) => sameIdentity(identity, each)))
]

/** What is left of two contacts: everything of both; where they differ, what the survivor says. */
export const joined = (survivor: Contact, other: Contact, now: DateTime.Utc): Contact =>
  new Contact({
    ...survivor,
    name: survivor.name ?? other.name,
    phone: survivor.phone ?? other.phone,
    email: survivor.email ?? other.email,
    identities: union(survivor.identities, other.identities),
    locale: survivor.locale ?? other.locale,
    timezone: survivor.timezone ?? other.timezone,
    attributes: { ...other.attributes, ...survivor.attributes },
    tags: [...new Set([...survivor.tags, ...other.tags])].toSorted(),
    consent: joinedConsent(survivor.consent, other.consent),
    blockedAt: survivor.blockedAt ?? other.blockedAt,
    lastSeenAt: latest(survivor.lastSeenAt, other.lastSeenAt),
    lastInboundAt: latest(survivor.lastInboundAt, other.lastInboundAt),
    updatedAt: now
  })

const unlessChanged = <A>(now: A, from: A, to: A): A => (Equal.equals(now, from) ? to : now)

const primary = (
  identities: ReadonlyArray<ContactIdentity>,
  kind: "phone" | "email",
  wanted: string | null,
  next: string | null
): string | null => {
  if (wanted === null) return null
  const values = identities.filter((identity) => identity.kind === kind).map(({ value }) => value)
  if (values.includes(wanted)) return wanted
  return next !== null && values.includes(next) ? next : (values[0] ?? null)
}

/** A contact that has become what it is from one state, as if it had begun at another one that is part of it. What was changed since stays. */
const carriedOver = (contact: Contact, from: Contact, to: Contact): Contact => {
  const identities = contact.identities.filter(
    (each) =>
      !from.identities.some((identity) => sameIdentity(identity, each)) ||
      to.identities.some((identity) => sameIdentity(identity, each))
  )
  const attributes = Object.fromEntries(
    Object.entries(contact.attributes).flatMap(([key, value]) => {
      if (!Object.hasOwn(from.attributes, key) || from.attributes[key] !== value) return [[key, value]]
      const own = Object.hasOwn(to.attributes, key) ? to.attributes[key] : undefined
      return own === undefined ? [] : [[key, own]]
    })
  )
  return new Contact({
    ...contact,
    name: unlessChanged(contact.name, from.name, to.name),
    phone: primary(identities, "phone", unlessChanged(contact.phone, from.phone, to.phone), to.phone),
    email: primary(identities, "email", unlessChanged(contact.email, from.email, to.email), to.email),
    identities,
    locale: unlessChanged(contact.locale, from.locale, to.locale),
    timezone: unlessChanged(contact.timezone, from.timezone, to.timezone),
    attributes,
    tags: contact.tags.filter((tag) => !from.tags.includes(tag) || to.tags.includes(tag)),
    consent: unlessChanged(contact.consent, from.consent, to.consent),
    blockedAt: unlessChanged(contact.blockedAt, from.blockedAt, to.blockedAt),
    lastSeenAt: unlessChanged(contact.lastSeenAt, from.lastSeenAt, to.lastSeenAt),
    lastInboundAt: unlessChanged(contact.lastInboundAt, from.lastInboundAt, to.lastInboundAt)
  })
}

/** What an undone merge leaves. */
export interface Parting {
  /** Without what only the merge brought. */
  readonly survivor: Contact
  readonly removedTags: ReadonlyArray<TagId>
  /** What the survivor was before each later merge, had it not been for this one. */
  readonly rebased: ReadonlyArray<{ readonly id: ContactMergeId; readonly before: Contact }>
  /** Whether the contact has unsubscribed while the merge stood: nobody knows which of the two did. */
  readonly isRefusal: boolean
}

/** Takes a merge back. `later` are the merges into the survivor that came after it and still stand, oldest first. */
export const parted = (
  survivor: Contact,
  { before, merged, at }: Pick<ContactMerge, "before" | "merged" | "at">,
  later: ReadonlyArray<ContactMerge>,
  now: DateTime.Utc
): Parting => {
  let [from, to] = [joined(before, merged, at), before]
  const rebased = later.map((merge) => {
    const rest = carriedOver(merge.before, from, to)
    from = joined(merge.before, merge.merged, merge.at)
    to = joined(rest, merge.merged, merge.at)
    return { id: merge.id, before: rest }
  })
  const left = carriedOver(survivor, from, to)
  return {
    survivor: new Contact({ ...left, updatedAt: now }),
    removedTags: survivor.tags.filter((tag) => !left.tags.includes(tag)),
    rebased,
    isRefusal: survivor.consent.marketing === "unsubscribed" && !Equal.equals(survivor.consent, from.consent)
  }
}
