import { DateTime } from "effect"
import type { Consent, NewConsent, ReservedSource } from "./Consent.ts"
import { Contact } from "./Contact.ts"
import { identityLookupKey, type IdentityRef } from "./Identity.ts"

/** Times of opt-outs on the suppression list, by `identityLookupKey`. */
export type SuppressedOptOuts = ReadonlyMap<string, DateTime.Utc>

const selfDeclaredSources: ReadonlySet<string | null> = new Set<ReservedSource>([
  "chat_keyword",
  "chat_preferences",
  "chat_refusal"
])

const lastingSources: ReadonlySet<string | null> = new Set<ReservedSource>([
  "chat_keyword",
  "chat_preferences",
  "chat_refusal",
  "suppression_list",
  "duplicate"
])

/** Returns whether the person declared it through the chat provider. */
export const isSelfDeclared = ({ source }: Consent): boolean => selfDeclaredSources.has(source)

/** Returns whether only a later declaration of the person ends this opt-out. Members can correct opt-outs that members entered. */
export const isLastingOptOut = ({ marketing, source }: Consent): boolean =>
  marketing === "unsubscribed" && lastingSources.has(source)

/** Returns whether the opt-out is only a copy from a possible duplicate. */
export const isPropagated = ({ marketing, source }: Consent): boolean =>
  marketing === "unsubscribed" && source === ("duplicate" satisfies ReservedSource)

const later = (one: DateTime.Utc | null, other: DateTime.Utc) => (one === null ? other : DateTime.max(one, other))

/** Applies a found opt-out to the consent of a contact. Only the person's own later subscription overrides it. */
export const applyOptOut = (
  before: Consent,
  at: DateTime.Utc,
  source: Extract<ReservedSource, "suppression_list" | "duplicate"> = "suppression_list"
): Consent => {
  if (before.marketing === "unsubscribed") return before
  const isLater = before.changedAt !== null && DateTime.isGreaterThan(before.changedAt, at)
  if (before.marketing === "subscribed" && isSelfDeclared(before) && isLater) return before
  return { marketing: "unsubscribed", source, changedAt: later(before.changedAt, at) }
}

/** Finds the latest opt-out of these identities. */
export const findLatestOptOut = (
  identities: ReadonlyArray<IdentityRef>,
  kept: SuppressedOptOuts
): DateTime.Utc | null =>
  identities.reduce<DateTime.Utc | null>((latest, identity) => {
    const at = kept.get(identityLookupKey(identity))
    return at === undefined ? latest : later(latest, at)
  }, null)

/** Returns the identities that the contact did not have before. */
export const newIdentities = (before: Contact | null, after: Contact): Contact["identities"] => {
  const names = new Set(before?.identities.map(identityLookupKey))
  return after.identities.filter((identity) => !names.has(identityLookupKey(identity)))
}

/** Returns whether the declaration withdraws a possible opt-out. */
export const isOptOutWithdrawal = (input: NewConsent | undefined): boolean =>
  input !== undefined && input.state !== "unsubscribed"

/** Applies the opt-outs of its identities to a contact. Returns the same object if none applies. */
export const withOptOuts = (
  contact: Contact,
  identities: ReadonlyArray<IdentityRef>,
  kept: SuppressedOptOuts
): Contact => {
  const at = findLatestOptOut(identities, kept)
  if (at === null) return contact
  const consent = applyOptOut(contact.consent, at)
  return consent === contact.consent ? contact : new Contact({ ...contact, consent })
}
