import { DateTime, Effect } from "effect"
import { record } from "../../platform/audit/index.ts"
import { appendEvent } from "../appendEvent.ts"
import type { Contact } from "../Contact.ts"
import { Contacts } from "../Contacts.ts"
import type { TagId } from "../Ids.ts"
import { lockContact } from "../lockContact.ts"

/** Adds tags to a locked contact, with its audit entry and event. */
export const addTags = Effect.fnUntraced(function* (contact: Contact, tags: ReadonlyArray<TagId>) {
  const added = tags.filter((tag) => !contact.tags.includes(tag))
  if (added.length === 0) return contact
  const contacts = yield* Contacts
  yield* contacts.tag([contact.id], added, yield* DateTime.now)
  yield* record("contact.tagged", { kind: "contact", id: contact.id }, { after: { tags: [...added] } })
  yield* appendEvent({ type: "contact.tagged", contactId: contact.id, tagIds: added })
  return yield* lockContact(contact.id)
})
