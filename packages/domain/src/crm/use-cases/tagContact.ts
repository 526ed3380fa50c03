import { Effect } from "effect"
import { transact, useCase } from "../../kernel/index.ts"
import type { ContactId, TagId } from "../Ids.ts"
import { checkTags } from "../checks/checkTags.ts"
import { lockContact } from "../lockContact.ts"
import { addTags } from "../tags/addTags.ts"

/** Puts tags on a contact. */
export const tagContact = useCase(
  "contacts.tag",
  { access: { permission: "contacts.manage" } },
  Effect.fnUntraced(function* (id: ContactId, tags: ReadonlyArray<TagId>) {
    const contact = yield* lockContact(id)
    yield* checkTags(tags, "/tags")
    return yield* addTags(contact, tags)
  }, transact)
)
