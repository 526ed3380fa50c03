import { Effect } from "effect"
import { useCase } from "../../kernel/index.ts"
import { Contacts } from "../Contacts.ts"
import { type ContactListRequest, contactFilter } from "../filter/contactFilter.ts"
import { searchOf } from "../search.ts"
import { nearTo } from "../spellings.ts"

/** Counts the contacts that a list gives which is asked for the same: all of its pages, with those of near spellings. */
export const countContacts = useCase(
  "contacts.count",
  { access: { permission: "contacts.read" } },
  Effect.fnUntraced(function* (request: Omit<ContactListRequest, "expand" | "sort">) {
    const contacts = yield* Contacts
    const filter = yield* contactFilter(request)
    const search = request.q === undefined ? null : searchOf(request.q)
    const exact = yield* contacts.countOf({ filter, search })
    const near = search === null ? null : yield* nearTo(search)
    return { count: near === null ? exact : exact + (yield* contacts.countOf({ filter, search: near })) }
  })
)
