import { Effect } from "effect"
import { appendEvent } from "./appendEvent.ts"
import { changedFields } from "./auditedContact.ts"
import type { ConsentState } from "./Consent.ts"
import type { Contact } from "./Contact.ts"
import type { ConsentPath } from "./Events.ts"
import type { ContactId } from "./Ids.ts"

/** Appends the consent event if the state has changed. */
export const appendConsentChanged = Effect.fnUntraced(function* (
  contactId: ContactId,
  from: ConsentState,
  to: ConsentState,
  through: ConsentPath | null
) {
  if (from === to) return
  yield* appendEvent({
    type: "contact.consent_changed",
    contactId,
    purpose: "marketing",
    from,
    to,
    ...(through !== null && { through })
  })
})

/** Appends what followers of the feed are told of a changed contact. */
export const appendContactChanges = Effect.fnUntraced(function* (
  before: Contact,
  after: Contact,
  through: ConsentPath | null = null
) {
  const fields = changedFields(before, after).filter((field) => field !== "marketing")
  if (fields.length > 0) yield* appendEvent({ type: "contact.updated", contactId: after.id, fields })
  yield* appendConsentChanged(after.id, before.consent.marketing, after.consent.marketing, through)
})
