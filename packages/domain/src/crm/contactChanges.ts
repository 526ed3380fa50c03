import { DateTime, Effect } from "effect"
import { CurrentActor, type ValidationIssue, nextId, toActorRef, Uuid, ValidationFailed } from "../kernel/index.ts"
import { recordAudit } from "../platform/audit/index.ts"
import { withinLimitCounted } from "../platform/entitlements/index.ts"
import { type AttributesInput, validateAttributes } from "./Attributes.ts"
import { hasConsentChanged, type NewConsent } from "./Consent.ts"
import type { Contact, ContactPatch, NewContact } from "./Contact.ts"
import { ContactFields } from "./ContactFields.ts"
import { ContactHistory } from "./ContactHistory.ts"
import { ContactDataOwners } from "./ContactDataOwner.ts"
import { Contacts, lockContact } from "./Contacts.ts"
import { ContactId, type IdentitySource } from "./Identity.ts"
import { findSuppressed, releaseIdentities } from "./Suppressions.ts"
import { checkTags } from "./Tags.ts"
import { recordConsents, propagateOptOuts } from "./consentRecords.ts"
import { applyContactPatch, buildContact, maxIdentities } from "./contactDrafts.ts"
import { appendContactChanges, contactAuditFields } from "./contactEvents.ts"
import { ContactOptedOut } from "./errors.ts"
import { appendEvent } from "./events.ts"
import { isLastingOptOut, findLatestOptOut, newIdentities, isOptOutWithdrawal, withOptOuts } from "./optOuts.ts"

/** Fails if an attribute has no contact field or a wrong type. */
const checkAttributes = Effect.fnUntraced(function* (attributes: AttributesInput | undefined) {
  if (attributes === undefined || Object.keys(attributes).length === 0) return
  const faults = validateAttributes(yield* (yield* ContactFields).all(), attributes, "/attributes")
  if (faults.length > 0) return yield* new ValidationFailed({ errors: faults })
})

/** Fails if a contact has neither a name nor an identity, or too many identities. */
export const checkCompleteness = ({ identities, name }: Contact) => {
  const faults: ReadonlyArray<ValidationIssue> = [
    ...(name === null && identities.length === 0
      ? [{ pointer: "", message: "A contact needs a name, a phone number, an e-mail address or another identity" }]
      : []),
    ...(identities.length > maxIdentities
      ? [{ pointer: "", message: `A contact has at most ${maxIdentities} identities` }]
      : [])
  ]
  return faults.length === 0 ? Effect.void : Effect.fail(new ValidationFailed({ errors: faults }))
}

const optedOutError = (at: DateTime.Utc | null) =>
  new ContactOptedOut({ optedOutAt: at === null ? null : DateTime.formatIso(at) })

/**
 * Applies the suppression list to the identities of a contact. Call it after storing the contact: the write waits for concurrent releases of these
 * identities. Therefore it reads their opt-outs, and the key that the write returned.
 */
export const applyOptOuts = Effect.fnUntraced(function* (
  before: Contact | null,
  stored: Contact,
  input: NewConsent | undefined,
  suppressionKey?: string | null
) {
  const isWithdrawal = isOptOutWithdrawal(input) && hasConsentChanged(before?.consent ?? null, stored.consent)
  if (isWithdrawal && before !== null && isLastingOptOut(before.consent))
    return yield* optedOutError(before.consent.changedAt)
  const identities = isWithdrawal ? stored.identities : newIdentities(before, stored)
  if (stored.consent.marketing === "unsubscribed") return stored
  const kept = yield* findSuppressed(identities, suppressionKey)
  const suppressed = withOptOuts(stored, identities, kept)
  if (suppressed === stored) return stored
  if (isWithdrawal) return yield* optedOutError(findLatestOptOut(identities, kept))
  return yield* Effect.orDie((yield* Contacts).save(suppressed, null))
})

/** Releases the identities that a change removed from a contact. */
const releaseDroppedIdentities = (before: Contact, after: Contact) => {
  const identities = newIdentities(after, before)
  const contact = before.consent.marketing === "unsubscribed" ? before : after
  return releaseIdentities([{ contact, identities }])
}

/** Adds a contact, with its audit entry and event. The caller checks that none exists. */
export const addContact = Effect.fnUntraced(function* (input: NewContact, source: IdentitySource) {
  yield* checkAttributes(input.attributes)
  yield* checkTags(input.tags, "/tags")
  const draft = buildContact(yield* nextId(ContactId), input, source, yield* DateTime.now)
  yield* checkCompleteness(draft)
  const contacts = yield* Contacts
  const { suppressionKey } = yield* contacts.insert([draft]).pipe(withinLimitCounted("contacts"))
  const contact = yield* applyOptOuts(null, draft, input.marketing, suppressionKey)
  const evidence = input.marketing?.evidence ?? null
  yield* recordConsents([{ contactId: contact.id, before: null, after: contact.consent, evidence }])
  yield* recordAudit("contact.created", { kind: "contact", id: contact.id }, { after: contactAuditFields(contact) })
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
  const changed = applyContactPatch(before, patch, source, now)
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
      actor: toActorRef(yield* CurrentActor)
    })
    if (after.blockedAt !== null) yield* (yield* ContactDataOwners).block(after.id)
  }
  yield* recordAudit(
    "contact.updated",
    { kind: "contact", id: after.id },
    { before: contactAuditFields(before), after: contactAuditFields(after) }
  )
  yield* appendContactChanges(before, after)
  if (!hasConsentChanged(before.consent, after.consent)) return after
  yield* propagateOptOuts([after])
  return yield* lockContact(after.id)
})
