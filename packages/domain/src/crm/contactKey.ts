import { DateTime } from "effect"
import type { Contact } from "./Contact.ts"
import type { ContactSort } from "./Contacts.ts"
import { foldName } from "./names.ts"

/** The key by which a contact stands in a list of this order: a text that sorts by code points, and the id. */
export const contactKey = (
  sort: ContactSort,
  contact: Pick<Contact, "id" | "lastSeenAt" | "name">
): ReadonlyArray<string> => {
  switch (sort) {
    case "createdAt":
    case "-createdAt":
      return [contact.id]
    case "name":
    case "-name":
      return [contact.name === null ? "" : foldName(contact.name), contact.id]
    case "lastSeenAt":
    case "-lastSeenAt":
      return [contact.lastSeenAt === null ? "" : DateTime.formatIso(contact.lastSeenAt), contact.id]
  }
}
