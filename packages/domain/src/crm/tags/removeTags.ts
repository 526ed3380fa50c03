import { DateTime, Effect } from "effect"
import { record } from "../../platform/audit/index.ts"
import { appendEvent } from "../appendEvent.ts"
import type { Contact } from "../Contact.ts"
import { Contacts } from "../Contacts.ts"
import type { TagId } from "../Ids.ts"
import { lockContact } from "../lockContact.ts"

/** Removes tags from a locked contact, with its audit entry and event. */
export const removeTags = Effect.fnUntraced(function* (contact: Contact, tags: ReadonlyArray<TagId>) {
  const removed = tags.filter((tag) => contact.tags.includes(tag))
  if (removed.length === 0) return contact
  const contacts = yield* Contacts
  yield* contacts.untag([contact.id], removed, yield* DateTime.now)
  yield* record("contact.untagged", { kind: "contact", id: contact.id }, { before: { tags: [...removed] } })
  yield* appendEvent({ type: "contact.untagged", contactId: contact.id, tagIds: removed })
  return yield* lockContact(contact.id)
})
