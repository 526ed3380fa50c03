import { Effect } from "effect"
import { useCase } from "../../kernel/index.ts"
import { Contacts } from "../Contacts.ts"
import type { ContactId } from "../Ids.ts"

/** Reads one contact. */
export const getContact = useCase(
  "contacts.get",
  { access: { permission: "contacts.read" } },
  Effect.fnUntraced(function* (id: ContactId) {
    return yield* (yield* Contacts).get(id)
  })
)
