import { DateTime, Effect } from "effect"
import { record } from "../../audit/index.ts"
import { transact, useCase } from "../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import type { Contact } from "../Contact.ts"
import { Contacts } from "../Contacts.ts"
import type { ContactId, TagId } from "../Ids.ts"
import { checkTags } from "../checkDetails.ts"
import { lockContact } from "../lockContact.ts"

/** Puts tags on a contact that was taken, and leaves the trace of it. */
export const putTags = Effect.fnUntraced(function* (contact: Contact, tags: ReadonlyArray<TagId>) {
  const added = tags.filter((tag) => !contact.tags.includes(tag))
  if (added.length === 0) return contact
  const contacts = yield* Contacts
  yield* contacts.tag([contact.id], added, yield* DateTime.now)
  yield* record("contact.tagged", { kind: "contact", id: contact.id }, { after: { tags: [...added] } })
  yield* appendEvent({ type: "contact.tagged", contactId: contact.id, tagIds: added })
  return yield* lockContact(contact.id)
})

const removeTags = Effect.fnUntraced(function* (contact: Contact, tags: ReadonlyArray<TagId>) {
  const removed = tags.filter((tag) => contact.tags.includes(tag))
  if (removed.length === 0) return contact
  const contacts = yield* Contacts
  yield* contacts.untag([contact.id], removed, yield* DateTime.now)
  yield* record("contact.untagged", { kind: "contact", id: contact.id }, { before: { tags: [...removed] } })
  yield* appendEvent({ type: "contact.untagged", contactId: contact.id, tagIds: removed })
  return yield* lockContact(contact.id)
})

/** Puts tags on a contact. */
export const tagContact = useCase(
  "contacts.tag",
  { access: { permission: "contacts.manage" } },
  Effect.fnUntraced(function* (id: ContactId, tags: ReadonlyArray<TagId>) {
    const contact = yield* lockContact(id)
    yield* checkTags(tags, "/tags")
    return yield* putTags(contact, tags)
  }, transact)
)

/** Takes tags off a contact. */
export const untagContact = useCase(
  "contacts.untag",
  { access: { permission: "contacts.manage" } },
  Effect.fnUntraced(function* (id: ContactId, tags: ReadonlyArray<TagId>) {
    const contact = yield* lockContact(id)
    yield* checkTags(tags, "/tags")
    return yield* removeTags(contact, tags)
  }, transact)
)
