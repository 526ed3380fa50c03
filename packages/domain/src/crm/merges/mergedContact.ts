import { DateTime } from "effect"
import type { Consent } from "../Consent.ts"
import { Contact } from "../Contact.ts"
import { type ContactIdentity, sameIdentity } from "../Identity.ts"
import { isCopy } from "../consent/optOuts.ts"

const latest = (one: DateTime.Utc | null, other: DateTime.Utc | null): DateTime.Utc | null =>
  one === null ? other : other === null ? one : DateTime.max(one, other)

const saidLast = (one: Consent, other: Consent): Consent =>
  other.changedAt !== null && (one.changedAt === null || DateTime.isGreaterThan(other.changedAt, one.changedAt))
    ? other
    : one

/** An opt-out of either wins; otherwise the latest consent. */
const mergedConsent = (one: Consent, other: Consent): Consent => {
  const refusals = [one, other].filter(({ marketing }) => marketing === "unsubscribed")
  const [refusal, second] = refusals
  if (refusal === undefined) return saidLast(one, other)
  // An opt-out that was only shared with one of the two came from the other, whose own entry is kept.
  if (second !== undefined && isCopy(refusal) !== isCopy(second)) return isCopy(refusal) ? second : refusal
  return second === undefined ? refusal : saidLast(refusal, second)
}

const union = (one: ReadonlyArray<ContactIdentity>, other: ReadonlyArray<ContactIdentity>) => [
  ...one,
  ...other.filter((each) => !one.some((identity) => sameIdentity(identity, each)))
]

/** The contact that a merge leaves: the data of both; where they differ, the survivor's. */
export const mergedContact = (survivor: Contact, other: Contact, now: DateTime.Utc): Contact =>
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
    consent: mergedConsent(survivor.consent, other.consent),
    blockedAt: survivor.blockedAt ?? other.blockedAt,
    lastSeenAt: latest(survivor.lastSeenAt, other.lastSeenAt),
    lastInboundAt: latest(survivor.lastInboundAt, other.lastInboundAt),
    updatedAt: now
  })
