import { Effect } from "effect"
import { NotFound } from "../kernel/index.ts"
import { Contacts } from "./Contacts.ts"
import type { ContactId } from "./Ids.ts"

/** Reads a contact to change it. */
export const lockContact = Effect.fnUntraced(function* (id: ContactId) {
  const [contact] = yield* (yield* Contacts).lock([id])
  return contact ?? (yield* new NotFound({ resource: "contact" }))
})
