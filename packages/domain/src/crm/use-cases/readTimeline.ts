import { Effect } from "effect"
import { paged, type PageRequest, useCase } from "../../kernel/index.ts"
import { ContactHistory } from "../ContactHistory.ts"
import { Contacts } from "../Contacts.ts"
import type { ContactId } from "../Ids.ts"

/** Reads what happened with a contact, newest first. */
export const readTimeline = useCase(
  "contacts.timeline",
  { access: { permission: "contacts.read" } },
  Effect.fnUntraced(function* (id: ContactId, page: PageRequest) {
    yield* (yield* Contacts).get(id)
    const history = yield* ContactHistory
    return yield* paged(
      `contacts/${id}/timeline`,
      page,
      (slice) => history.timeline(id, slice),
      (entry) => [entry.id]
    )
  })
)
