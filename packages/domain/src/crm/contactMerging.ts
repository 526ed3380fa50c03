import { DateTime, Equal } from "effect"
import type { Consent } from "./Consent.ts"
import { Contact } from "./Contact.ts"
import type { ContactMerge } from "./ContactHistory.ts"
import { type ContactIdentity, type ContactMergeId, isSameIdentity, type TagId } from "./Identity.ts"
import { isPropagated } from "./optOuts.ts"

const laterTime = (one: DateTime.Utc | null, other: DateTime.Utc | null): DateTime.Utc | null =>
  one === null ? other : other === null ? one : DateTime.max(one, other)

const laterConsent = (one: Consent, other: Consent): Consent =>
  other.changedAt !== null && (one.changedAt === null || DateTime.isGreaterThan(other.changedAt, one.changedAt))
    ? other
    : one

/** An opt-out of either contact wins; otherwise the latest consent. */
const mergeConsent = (one: Consent, other: Consent): Consent => {
  const refusals = [one, other].filter(({ marketing }) => marketing === "unsubscribed")
  const [refusal, second] = refusals
  if (refusal === undefined) return laterConsent(one, other)
  // An opt-out copied to one contact came from the other one. The other contact's own entry is stored.
  if (second !== undefined && isPropagated(refusal) !== isPropagated(second))
    return isPropagated(refusal) ? second : refusal
  return second === undefined ? refusal : laterConsent(refusal, second)
}

const union = (one: ReadonlyArray<ContactIdentity>, other: ReadonlyArray<ContactIdentity>) => [
  ...one,
  ...other.filter((each) => !one.some((identity) => isSameIdentity(identity, each)))
]

const asOwn = ({ addedAt, kind, source, value }: ContactIdentity): ContactIdentity => ({ kind, value, source, addedAt })

/** Merges the data of both contacts; the survivor's values win. */
export const mergeContactData = (survivor: Contact, other: Contact, now: DateTime.Utc): Contact =>
  new Contact({
    ...survivor,
    name: survivor.name ?? other.name,
    phone: survivor.phone ?? other.phone,
    email: survivor.email ?? other.email,
    // A merge decides that both contacts are one person, so none of the identities belongs to another one.
    identities: union(survivor.identities, other.identities).map(asOwn),
    locale: survivor.locale ?? other.locale,
    timezone: survivor.timezone ?? other.timezone,
    attributes: { ...other.attributes, ...survivor.attributes },
    tags: [...new Set([...survivor.tags, ...other.tags])].toSorted(),
    consent: mergeConsent(survivor.consent, other.consent),
    blockedAt: survivor.blockedAt ?? other.blockedAt,
    lastSeenAt: laterTime(survivor.lastSeenAt, other.lastSeenAt),
    username: survivor.username ?? other.username,
    lastInboundAt: laterTime(survivor.lastInboundAt, other.lastInboundAt),
    updatedAt: now
  })

const applyIfUnchanged = <A>(now: A, from: A, to: A): A => (Equal.equals(now, from) ? to : now)

const choosePrimary = (
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

/** Applies the changes between `from` and `contact` to the state `to`. `to` is part of `from`. */
const applyChanges = (contact: Contact, from: Contact, to: Contact): Contact => {
  const identities = contact.identities.filter(
    (each) =>
      !from.identities.some((identity) => isSameIdentity(identity, each)) ||
      to.identities.some((identity) => isSameIdentity(identity, each))
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
    name: applyIfUnchanged(contact.name, from.name, to.name),
    phone: choosePrimary(identities, "phone", applyIfUnchanged(contact.phone, from.phone, to.phone), to.phone),
    email: choosePrimary(identities, "email", applyIfUnchanged(contact.email, from.email, to.email), to.email),
    identities,
    locale: applyIfUnchanged(contact.locale, from.locale, to.locale),
    timezone: applyIfUnchanged(contact.timezone, from.timezone, to.timezone),
    attributes,
    tags: contact.tags.filter((tag) => !from.tags.includes(tag) || to.tags.includes(tag)),
    consent: applyIfUnchanged(contact.consent, from.consent, to.consent),
    blockedAt: applyIfUnchanged(contact.blockedAt, from.blockedAt, to.blockedAt),
    lastSeenAt: applyIfUnchanged(contact.lastSeenAt, from.lastSeenAt, to.lastSeenAt),
    username: applyIfUnchanged(contact.username, from.username, to.username),
    lastInboundAt: applyIfUnchanged(contact.lastInboundAt, from.lastInboundAt, to.lastInboundAt)
  })
}

/** Changes of an undone merge. */
export interface UnmergeChanges {
  /** Survivor without the data that only the merge added. */
  readonly survivor: Contact
  readonly removedTags: ReadonlyArray<TagId>
  /** Snapshots of later merges, recalculated without this one. */
  readonly rebased: ReadonlyArray<{ readonly id: ContactMergeId; readonly before: Contact }>
  /** Whether the contact unsubscribed while the merge was active. Which of the two did is unknown. */
  readonly isRefusal: boolean
}

/** Undoes a merge. `later` are the later merges into the survivor that are not undone, oldest first. */
export const undoContactMerge = (
  survivor: Contact,
  { before, merged, at }: Pick<ContactMerge, "before" | "merged" | "at">,
  later: ReadonlyArray<ContactMerge>,
  now: DateTime.Utc
): UnmergeChanges => {
  let [from, to] = [mergeContactData(before, merged, at), before]
  const rebased = later.map((merge) => {
    const rest = applyChanges(merge.before, from, to)
    from = mergeContactData(merge.before, merge.merged, merge.at)
    to = mergeContactData(rest, merge.merged, merge.at)
    return { id: merge.id, before: rest }
  })
  const left = applyChanges(survivor, from, to)
  return {
    survivor: new Contact({ ...left, updatedAt: now }),
    removedTags: survivor.tags.filter((tag) => !left.tags.includes(tag)),
    rebased,
    isRefusal: survivor.consent.marketing === "unsubscribed" && !Equal.equals(survivor.consent, from.consent)
  }
}
