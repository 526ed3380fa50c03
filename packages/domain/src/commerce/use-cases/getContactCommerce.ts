import { Effect } from "effect"
import { type ContactId, Contacts } from "../../crm/index.ts"
import { CurrentActor, holds, PermissionDenied, useCase } from "../../kernel/index.ts"
import { CommerceOfContacts } from "../commerce/CommerceOfContacts.ts"
import { showCommerce } from "../commerce/shownStores.ts"

/** Reads what all stores know of a contact. No store is asked. */
export const getContactCommerce = useCase(
  "commerce.getOfContact",
  { access: { permission: "commerce.read" } },
  Effect.fnUntraced(function* (id: ContactId, orders: number) {
    if (!holds(yield* CurrentActor, "contacts.read"))
      return yield* new PermissionDenied({ permission: "contacts.read" })
    yield* (yield* Contacts).get(id)
    return yield* showCommerce(yield* (yield* CommerceOfContacts).read(id, orders))
  })
)
