import { DateTime } from "effect"
import type { Consent, NewConsent, ReservedSource } from "./Consent.ts"
import { Contact } from "./Contact.ts"
import { identityLookupKey, type IdentityRef } from "./Identity.ts"

/** The times of opt-outs on the suppression list, by the names of identities. */
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

/** Whether the person declared it themself, through the chat provider. */
export const isSelfDeclared = ({ source }: Consent): boolean => selfDeclaredSources.has(source)

/** Whether only a later declaration by the person ends this opt-out. What the organization's staff entered, they may correct. */
export const isLastingOptOut = ({ marketing, source }: Consent): boolean =>
  marketing === "unsubscribed" && lastingSources.has(source)

/** Whether the opt-out is only a copy from a possible duplicate. */
export const isPropagated = ({ marketing, source }: Consent): boolean =>
  marketing === "unsubscribed" && source === ("duplicate" satisfies ReservedSource)

const later = (one: DateTime.Utc | null, other: DateTime.Utc) => (one === null ? other : DateTime.max(one, other))

/** The consent of a contact after an opt-out is found for them: only their own later subscription overrides it. */
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

/** The latest opt-out of any of these identities. */
export const findLatestOptOut = (
  identities: ReadonlyArray<IdentityRef>,
  kept: SuppressedOptOuts
): DateTime.Utc | null =>
  identities.reduce<DateTime.Utc | null>((latest, identity) => {
    const at = kept.get(identityLookupKey(identity))
    return at === undefined ? latest : later(latest, at)
  }, null)

/** The identities that the contact did not have before. */
export const newIdentities = (before: Contact | null, after: Contact): Contact["identities"] => {
  const names = new Set(before?.identities.map(identityLookupKey))
  return after.identities.filter((identity) => !names.has(identityLookupKey(identity)))
}

/** Whether this withdraws an opt-out, or would if there were one. */
export const isOptOutWithdrawal = (said: NewConsent | undefined): boolean =>
  said !== undefined && said.state !== "unsubscribed"

/** The contact with the opt-outs of its identities applied; the very same object where none applies. */
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
