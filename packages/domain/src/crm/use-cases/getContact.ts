import { Effect } from "effect"
import { useCase } from "../../kernel/index.ts"
import { Contacts } from "../Contacts.ts"
import { expandContacts } from "../expandContacts.ts"
import type { ContactExpansion, ExpandedContact } from "../ExpandedContact.ts"
import type { ContactId } from "../Ids.ts"

/** Reads one contact. */
export const getContact = useCase(
  "contacts.get",
  { access: { permission: "contacts.read" } },
  Effect.fnUntraced(function* (id: ContactId, expand: ReadonlyArray<ContactExpansion> = []) {
    const contact: ExpandedContact = yield* (yield* Contacts).get(id)
    const [expanded] = yield* expandContacts([contact], expand)
    return expanded ?? contact
  })
)
