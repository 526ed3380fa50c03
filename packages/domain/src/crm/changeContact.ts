import { DateTime, Effect } from "effect"
import { record } from "../platform/audit/index.ts"
import { nextId, CurrentActor, refer, Uuid } from "../kernel/index.ts"
import { appendContactChanges } from "./appendContactChanges.ts"
import { auditedContact } from "./auditedContact.ts"
import { hasConsentChanged } from "./Consent.ts"
import type { Contact, ContactPatch } from "./Contact.ts"
import { ContactHoldings } from "./ContactHolding.ts"
import { ContactHistory } from "./ContactHistory.ts"
import { Contacts } from "./Contacts.ts"
import { changedContact } from "./drafts.ts"
import type { IdentitySource } from "./Identity.ts"
import { checkAttributes } from "./checks/checkAttributes.ts"
import { checkCompleteness } from "./checks/checkCompleteness.ts"
import { applyOptOuts, releaseDroppedIdentities } from "./consent/applyOptOuts.ts"
import { recordConsents } from "./consent/recordConsents.ts"
import { shareOptOuts } from "./consent/shareOptOuts.ts"
import { lockContact } from "./lockContact.ts"

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
