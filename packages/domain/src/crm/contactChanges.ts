import { DateTime, Effect } from "effect"
import { CurrentActor, type Fault, nextId, refer, Uuid, ValidationFailed } from "../kernel/index.ts"
import { record } from "../platform/audit/index.ts"
import { admittingCounted } from "../platform/entitlements/index.ts"
import { type AttributesInput, faultsOfAttributes } from "./Attributes.ts"
import { hasConsentChanged, type NewConsent } from "./Consent.ts"
import type { Contact, ContactPatch, NewContact } from "./Contact.ts"
import { ContactFields } from "./ContactFields.ts"
import { ContactHistory } from "./ContactHistory.ts"
import { ContactHoldings } from "./ContactHolding.ts"
import { Contacts, lockContact } from "./Contacts.ts"
import { ContactId, type IdentitySource } from "./Identity.ts"
import { findSuppressed, releaseIdentities } from "./Suppressions.ts"
import { checkTags } from "./Tags.ts"
import { recordConsents, shareOptOuts } from "./consentRecords.ts"
import { changedContact, draftContact, mostIdentities } from "./contactDrafts.ts"
import { appendContactChanges, auditedContact } from "./contactEvents.ts"
import { ContactOptedOut } from "./errors.ts"
import { appendEvent } from "./events.ts"
import { isLasting, latestOptOut, newIdentities, withdrawsOptOut, withOptOuts } from "./optOuts.ts"

/** Refuses attributes without a contact field, or of a wrong type. */
const checkAttributes = Effect.fnUntraced(function* (attributes: AttributesInput | undefined) {
  if (attributes === undefined || Object.keys(attributes).length === 0) return
  const faults = faultsOfAttributes(yield* (yield* ContactFields).all(), attributes, "/attributes")
  if (faults.length > 0) return yield* new ValidationFailed({ errors: faults })
})

/** Refuses a contact with neither a name nor an identity, and one with too many identities. */
export const checkCompleteness = ({ identities, name }: Contact) => {
  const faults: ReadonlyArray<Fault> = [
    ...(name === null && identities.length === 0
      ? [{ pointer: "", message: "A contact needs a name, a phone number, an e-mail address or another identity" }]
      : []),
    ...(identities.length > mostIdentities
      ? [{ pointer: "", message: `A contact has at most ${mostIdentities} identities` }]
      : [])
  ]
  return faults.length === 0 ? Effect.void : Effect.fail(new ValidationFailed({ errors: faults }))
}

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
const releaseDroppedIdentities = (before: Contact, after: Contact) => {
  const identities = newIdentities(after, before)
  const contact = before.consent.marketing === "unsubscribed" ? before : after
  return releaseIdentities([{ contact, identities }])
}

/** Adds a contact, with its audit entry and event. The caller has checked that there is none yet. */
export const addContact = Effect.fnUntraced(function* (said: NewContact, source: IdentitySource) {
  yield* checkAttributes(said.attributes)
  yield* checkTags(said.tags, "/tags")
  const draft = draftContact(yield* nextId(ContactId), said, source, yield* DateTime.now)
  yield* checkCompleteness(draft)
  const contacts = yield* Contacts
  const { suppressionKey } = yield* contacts.insert([draft]).pipe(admittingCounted("contacts"))
  const contact = yield* applyOptOuts(null, draft, said.marketing, suppressionKey)
  const evidence = said.marketing?.evidence ?? null
  yield* recordConsents([{ contactId: contact.id, before: null, after: contact.consent, evidence }])
  yield* record("contact.created", { kind: "contact", id: contact.id }, { after: auditedContact(contact) })
  yield* appendEvent({ type: "contact.created", contactId: contact.id })
  return contact
})

/** Changes a locked contact, with its audit entry and events. */
export const changeContact = Effect.fnUntraced(function* (
  before: Contact,
  patch: ContactPatch,
  source: IdentitySource
) {
  yield* checkAttributes(patch.attributes)
  const now = yield* DateTime.now
  const changed = changedContact(before, patch, source, now)
  if (changed === before) return before
  yield* checkCompleteness(changed)
  const stored = yield* (yield* Contacts).save(changed, null)
  const after = yield* applyOptOuts(before, stored, patch.marketing)
  yield* releaseDroppedIdentities(before, after)
  const evidence = patch.marketing?.evidence ?? null
  yield* recordConsents([{ contactId: after.id, before: before.consent, after: after.consent, evidence }])
  if ((before.blockedAt === null) !== (after.blockedAt === null)) {
    yield* (yield* ContactHistory).note(after.id, {
      kind: after.blockedAt === null ? "unblocked" : "blocked",
      id: yield* nextId(Uuid),
      at: now,
      actor: refer(yield* CurrentActor)
    })
    if (after.blockedAt !== null) yield* (yield* ContactHoldings).block(after.id)
  }
  yield* record(
    "contact.updated",
    { kind: "contact", id: after.id },
    { before: auditedContact(before), after: auditedContact(after) }
  )
  yield* appendContactChanges(before, after)
  if (!hasConsentChanged(before.consent, after.consent)) return after
  yield* shareOptOuts([after])
  return yield* lockContact(after.id)
})
