import { DateTime, Effect } from "effect"
import { type ContactId, Contacts } from "../../crm/index.ts"
import { CurrentActor, holds, PermissionDenied, useCase } from "../../kernel/index.ts"
import { CommerceOfContacts } from "../commerce/CommerceOfContacts.ts"
import { shownCommerce } from "../commerce/shown.ts"

/** Reads what all stores know of a contact. No store is asked. */
export const getContactCommerce = useCase(
  "commerce.getOfContact",
  { access: { permission: "commerce.read" } },
  Effect.fnUntraced(function* (id: ContactId, orders: number) {
    if (!holds(yield* CurrentActor, "contacts.read"))
      return yield* new PermissionDenied({ permission: "contacts.read" })
    yield* (yield* Contacts).get(id)
    return shownCommerce(yield* (yield* CommerceOfContacts).read(id, orders), yield* DateTime.now)
  })
)
