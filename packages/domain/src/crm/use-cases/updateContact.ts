import { Effect } from "effect"
import { requireVersion, transact, useCase } from "../../kernel/index.ts"
import type { ContactPatch } from "../Contact.ts"
import type { ContactId } from "../Ids.ts"
import { lockContact } from "../lockContact.ts"
import { changeContact } from "../changeContact.ts"

/** Changes what is known of a contact. */
export const updateContact = useCase(
  "contacts.update",
  { access: { permission: "contacts.manage" } },
  Effect.fnUntraced(function* (id: ContactId, patch: ContactPatch, expectedVersion: number | null) {
    const before = yield* lockContact(id)
    yield* requireVersion(before, expectedVersion)
    return yield* changeContact(before, patch, "api")
  }, transact)
)
