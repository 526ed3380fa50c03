import { DateTime } from "effect"
import { type Consent, type NewConsent, type ReservedSource } from "./Consent.ts"
import { Contact } from "./Contact.ts"
import { identityName, type IdentityRef } from "./Identity.ts"

/** When opt-outs were said that are kept, by the names of identities. */
export type KeptOptOuts = ReadonlyMap<string, DateTime.Utc>

const ownWords: ReadonlySet<string | null> = new Set<ReservedSource>([
  "chat_keyword",
  "chat_preferences",
  "chat_refusal"
])

const standing: ReadonlySet<string | null> = new Set<ReservedSource>([
  "chat_keyword",
  "chat_preferences",
  "chat_refusal",
  "suppression_list",
  "duplicate"
])

/** Whether the person has said it themself, to the chat provider. */
export const isOwnWord = ({ source }: Consent): boolean => ownWords.has(source)

/** Whether only the person's own later word ends this opt-out. What somebody of the organization has entered, they may correct. */
export const isLasting = ({ marketing, source }: Consent): boolean =>
  marketing === "unsubscribed" && standing.has(source)

/** Whether the opt-out is only that of somebody who may be the same person. */
export const isCopy = ({ marketing, source }: Consent): boolean =>
  marketing === "unsubscribed" && source === ("duplicate" satisfies ReservedSource)

const later = (one: DateTime.Utc | null, other: DateTime.Utc) => (one === null ? other : DateTime.max(one, other))

/** The consent of a contact once it is known that an opt-out is kept of them: only a later word of their own stands against it. */
export const afterOptOut = (
  before: Consent,
  at: DateTime.Utc,
  source: Extract<ReservedSource, "suppression_list" | "duplicate"> = "suppression_list"
): Consent => {
  if (before.marketing === "unsubscribed") return before
  const isLater = before.changedAt !== null && DateTime.isGreaterThan(before.changedAt, at)
  if (before.marketing === "subscribed" && isOwnWord(before) && isLater) return before
  return { marketing: "unsubscribed", source, changedAt: later(before.changedAt, at) }
}

/** The latest opt-out that is kept of any of these identities. */
export const latestOptOut = (identities: ReadonlyArray<IdentityRef>, kept: KeptOptOuts): DateTime.Utc | null =>
  identities.reduce<DateTime.Utc | null>((latest, identity) => {
    const at = kept.get(identityName(identity))
    return at === undefined ? latest : later(latest, at)
  }, null)

/** The identities that the contact did not have before. */
export const newIdentities = (before: Contact | null, after: Contact): Contact["identities"] => {
  const names = new Set(before?.identities.map(identityName))
  return after.identities.filter((identity) => !names.has(identityName(identity)))
}

/** Whether this takes back an opt-out, or would if there were one. */
export const takesBack = (said: NewConsent | undefined): boolean => said !== undefined && said.state !== "unsubscribed"

/** The contact with the opt-outs that are kept of its identities; the very same one where none counts. */
export const withOptOuts = (contact: Contact, identities: ReadonlyArray<IdentityRef>, kept: KeptOptOuts): Contact => {
  const at = latestOptOut(identities, kept)
  if (at === null) return contact
  const consent = afterOptOut(contact.consent, at)
  return consent === contact.consent ? contact : new Contact({ ...contact, consent })
}
