import { Effect } from "effect"
import { pagedWithin, type PageRequest } from "../kernel/index.ts"
import { contactKey } from "./contactKey.ts"
import { contactPage } from "./contactPage.ts"
import { Contacts } from "./Contacts.ts"
import { expandContacts } from "./expandContacts.ts"
import type { ContactListRequest } from "./filter/contactFilter.ts"

/** A page of contacts, with what was asked for of what they name. */
export const expandedContactPage = Effect.fnUntraced(function* (request: ContactListRequest, page: PageRequest) {
  const contacts = yield* Contacts
  return yield* contactPage(
    request,
    page,
    Effect.fnUntraced(function* (list, query, page) {
      const { data, nextCursor } = yield* pagedWithin(
        list,
        page,
        (slice) => contacts.list(query, slice),
        (contact) => contactKey(query.sort, contact)
      )
      return { data: yield* expandContacts(data, request.expand ?? []), nextCursor }
    })
  )
})
