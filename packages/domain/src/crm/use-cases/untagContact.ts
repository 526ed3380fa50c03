import { Effect } from "effect"
import { transact, useCase } from "../../kernel/index.ts"
import type { ContactId, TagId } from "../Ids.ts"
import { checkTags } from "../checks/checkTags.ts"
import { lockContact } from "../lockContact.ts"
import { removeTags } from "../tags/removeTags.ts"

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
