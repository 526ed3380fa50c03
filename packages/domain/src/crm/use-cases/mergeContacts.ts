import { Effect } from "effect"
import { invalid, NotFound, requireVersion, transact, useCase } from "../../kernel/index.ts"
import { Contacts } from "../Contacts.ts"
import type { ContactId } from "../Ids.ts"
import { mergeLocked } from "../merges/mergeLocked.ts"

/** Merges two contacts. Everything of the other one moves to the survivor, and the merge can be undone. */
export const mergeContacts = useCase(
  "contacts.merge",
  { access: { permission: "contacts.manage" } },
  Effect.fnUntraced(function* (id: ContactId, otherId: ContactId, expectedVersion: number | null) {
    if (id === otherId) return yield* invalid("/contactId", "A contact cannot be merged with itself")
    const contacts = yield* Contacts
    const locked = yield* contacts.lock([id, otherId])
    const before = locked.find((contact) => contact.id === id)
    if (before === undefined) return yield* new NotFound({ resource: "contact" })
    const merged = locked.find((contact) => contact.id === otherId)
    if (merged === undefined) return yield* new NotFound({ resource: "contact", pointer: "/contactId" })
    yield* requireVersion(before, expectedVersion)

    return yield* mergeLocked(before, merged)
  }, transact)
)
