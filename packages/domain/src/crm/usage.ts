import { Effect } from "effect"
import { Contacts } from "./Contacts.ts"

/** Storing contacts counts them, so that imports need not wait for each other before they write. */
export const contactUse = {
  limit: "contacts",
  lock: null,
  count: Effect.flatMap(Contacts, (contacts) => contacts.count())
} as const
