import { Effect } from "effect"
import { invalid, NotFound, requireVersion, transact, useCase } from "../../kernel/index.ts"
import { Contacts } from "../Contacts.ts"
import type { ContactId } from "../Ids.ts"
import { mergeTaken } from "./mergeTaken.ts"

/** Makes two contacts one. Everything of the other one goes to the survivor, and can be put back. */
export const mergeContacts = useCase(
  "contacts.merge",
  { access: { permission: "contacts.manage" } },
  Effect.fnUntraced(function* (id: ContactId, otherId: ContactId, expectedVersion: number | null) {
    if (id === otherId) return yield* invalid("/contactId", "A contact cannot be merged with itself")
    const contacts = yield* Contacts
    const taken = yield* contacts.lock([id, otherId])
    const before = taken.find((contact) => contact.id === id)
    if (before === undefined) return yield* new NotFound({ resource: "contact" })
    const merged = taken.find((contact) => contact.id === otherId)
    if (merged === undefined) return yield* new NotFound({ resource: "contact", pointer: "/contactId" })
    yield* requireVersion(before, expectedVersion)

    return yield* mergeTaken(before, merged)
  }, transact)
)
