import { Effect } from "effect"
import { appendEvent } from "./appendEvent.ts"
import { changedFields } from "./auditedContact.ts"
import type { ConsentPath } from "./Events.ts"
import type { Contact } from "./Contact.ts"

/** Appends what followers of the feed are told of a changed contact. */
export const appendContactChanges = Effect.fnUntraced(function* (
  before: Contact,
  after: Contact,
  through: ConsentPath | null = null
) {
  const fields = changedFields(before, after).filter((field) => field !== "marketing")
  if (fields.length > 0) yield* appendEvent({ type: "contact.updated", contactId: after.id, fields })
  if (before.consent.marketing !== after.consent.marketing) {
    yield* appendEvent({
      type: "contact.consent_changed",
      contactId: after.id,
      purpose: "marketing",
      from: before.consent.marketing,
      to: after.consent.marketing,
      ...(through !== null && { through })
    })
  }
})
