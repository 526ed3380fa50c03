import { DateTime, Effect } from "effect"
import { record } from "../platform/audit/index.ts"
import { admittingCounted } from "../platform/entitlements/index.ts"
import { nextId } from "../kernel/index.ts"
import { appendEvent } from "./appendEvent.ts"
import { auditedContact } from "./auditedContact.ts"
import type { NewContact } from "./Contact.ts"
import { Contacts } from "./Contacts.ts"
import { draftContact } from "./drafts.ts"
import { ContactId } from "./Ids.ts"
import type { IdentitySource } from "./Identity.ts"
import { checkAttributes } from "./checks/checkAttributes.ts"
import { checkTags } from "./checks/checkTags.ts"
import { checkCompleteness } from "./checks/checkCompleteness.ts"
import { applyOptOuts } from "./consent/applyOptOuts.ts"
import { recordConsents } from "./consent/recordConsents.ts"

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
