import { Effect } from "effect"
import { paged, type PageRequest, useCase } from "../../kernel/index.ts"
import { Contacts } from "../Contacts.ts"
import type { ContactId } from "../Ids.ts"
import { duplicatesOf } from "../duplicates/duplicatesOf.ts"

/** Lists the contacts who may be the same person, newest first: one entry for each pair of identities that were given together. */
export const listDuplicates = useCase(
  "contacts.listDuplicates",
  { access: { permission: "contacts.read" } },
  Effect.fnUntraced(function* (id: ContactId, page: PageRequest) {
    const contact = yield* (yield* Contacts).get(id)
    return yield* paged(
      `contacts/${id}/duplicates`,
      page,
      (slice) => duplicatesOf(contact, slice),
      (duplicate) => [duplicate.id]
    )
  })
)
