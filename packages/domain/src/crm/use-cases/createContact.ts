import { Effect } from "effect"
import { transact, useCase } from "../../kernel/index.ts"
import type { NewContact } from "../Contact.ts"
import { addContact } from "../addContact.ts"

/** Adds a contact. */
export const createContact = useCase(
  "contacts.create",
  { access: { permission: "contacts.manage" } },
  Effect.fnUntraced(function* (said: NewContact) {
    return yield* addContact(said, "api")
  }, transact)
)
