import { DateTime, Effect } from "effect"
import { hasConsentChanged, type NewConsent } from "../Consent.ts"
import type { Contact } from "../Contact.ts"
import { Contacts } from "../Contacts.ts"
import { ContactOptedOut } from "../Errors.ts"
import { isLasting, latestOptOut, newIdentities, withdrawsOptOut, withOptOuts } from "./optOuts.ts"
import { findSuppressed } from "./suppressionList.ts"
import { releaseIdentities } from "../identities/releaseIdentities.ts"

const refuse = (at: DateTime.Utc | null) =>
  new ContactOptedOut({ optedOutAt: at === null ? null : DateTime.formatIso(at) })

/**
 * Applies the suppression list to the identities of a contact. Call it after the contact was stored: the write has waited for
 * whoever released one of these identities meanwhile, so the opt-out that they left is read; so is the key that the write has answered.
 */
export const applyOptOuts = Effect.fnUntraced(function* (
  before: Contact | null,
  stored: Contact,
  said: NewConsent | undefined,
  suppressionKey?: string | null
) {
  const isWithdrawal = withdrawsOptOut(said) && hasConsentChanged(before?.consent ?? null, stored.consent)
  if (isWithdrawal && before !== null && isLasting(before.consent)) return yield* refuse(before.consent.changedAt)
  const identities = isWithdrawal ? stored.identities : newIdentities(before, stored)
  if (stored.consent.marketing === "unsubscribed") return stored
  const kept = yield* findSuppressed(identities, suppressionKey)
  const suppressed = withOptOuts(stored, identities, kept)
  if (suppressed === stored) return stored
  if (isWithdrawal) return yield* refuse(latestOptOut(identities, kept))
  return yield* Effect.orDie((yield* Contacts).save(suppressed, null))
})

/** Releases the identities that a change has removed from a contact. */
export const releaseDroppedIdentities = (before: Contact, after: Contact) => {
  const identities = newIdentities(after, before)
  const contact = before.consent.marketing === "unsubscribed" ? before : after
  return releaseIdentities([{ contact, identities }])
}
