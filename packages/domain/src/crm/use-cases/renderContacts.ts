import { Effect } from "effect"
import { type Page, pagedAsRendered, type PageRequest, type Rendered, useCase } from "../../kernel/index.ts"
import { contactPage } from "../contactPage.ts"
import { Contacts } from "../Contacts.ts"
import type { ExpandedContact } from "../ExpandedContact.ts"
import { expandedContactPage } from "../expandedContactPage.ts"
import type { ContactListRequest } from "../filter/contactFilter.ts"

/** Reads what `listContacts` reads, for an answer: contacts come as answers write them, unless something is put beside them. */
export const renderContacts = useCase(
  "contacts.render",
  { access: { permission: "contacts.read" } },
  Effect.fnUntraced(function* (request: ContactListRequest, page: PageRequest) {
    if ((request.expand ?? []).length > 0) return yield* expandedContactPage(request, page)
    const contacts = yield* Contacts
    const rendered: Page<Rendered<ExpandedContact>> = yield* contactPage(request, page, (list, query, page) =>
      pagedAsRendered(list, page, (slice) => contacts.render(query, slice))
    )
    return rendered
  })
)
