import { DateTime, Effect } from "effect"
import type { NewConsent } from "../Consent.ts"
import type { Contact } from "../Contact.ts"
import { Contacts } from "../Contacts.ts"
import { ContactOptedOut } from "../Errors.ts"
import { isLasting, latestOptOut, newIdentities, takesBack, withOptOuts } from "../optOuts.ts"
import { findOptOuts } from "./keptOptOuts.ts"
import { letGo } from "./letGo.ts"

const refuse = (at: DateTime.Utc | null) =>
  new ContactOptedOut({ optedOutAt: at === null ? null : DateTime.formatIso(at) })

/**
 * Lets opt-outs count that are kept of what a contact is known by now. It has been stored already: whoever gave an identity up
 * meanwhile was waited for, and so what is kept of it is seen.
 */
export const heedOptOuts = Effect.fnUntraced(function* (
  before: Contact | null,
  stored: Contact,
  said: NewConsent | undefined
) {
  const isBack = takesBack(said) && stored.consent !== before?.consent
  if (isBack && before !== null && isLasting(before.consent)) return yield* refuse(before.consent.changedAt)
  const identities = isBack ? stored.identities : newIdentities(before, stored)
  if (stored.consent.marketing === "unsubscribed") return stored
  const kept = yield* findOptOuts(identities)
  const heeded = withOptOuts(stored, identities, kept)
  if (heeded === stored) return stored
  if (isBack) return yield* refuse(latestOptOut(identities, kept))
  return yield* Effect.orDie((yield* Contacts).save(heeded, null))
})

/** Lets go of what a contact is not known by any more. */
export const letGoOf = (before: Contact, after: Contact) => {
  const identities = newIdentities(after, before)
  const contact = before.consent.marketing === "unsubscribed" ? before : after
  return letGo([{ contact, identities }])
}
