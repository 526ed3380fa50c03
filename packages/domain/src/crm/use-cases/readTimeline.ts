import { DateTime, Effect } from "effect"
import { paged, type PageRequest, useCase } from "../../kernel/index.ts"
import type { AnyHolding } from "../ContactHolding.ts"
import { Contacts } from "../Contacts.ts"
import type { ContactId } from "../Ids.ts"
import { timelineOf } from "../timeline/timelineOf.ts"

/** Reads what happened with a contact, newest first: what somebody may not read of it, they get it without. */
export const readTimelineOf = <H extends AnyHolding>(holdings: ReadonlyArray<H>) =>
  useCase(
    "contacts.timeline",
    { access: { permission: "contacts.read" } },
    Effect.fnUntraced(function* (id: ContactId, page: PageRequest) {
      yield* (yield* Contacts).get(id)
      return yield* paged(
        `contacts/${id}/timeline`,
        page,
        (slice) => timelineOf(holdings, id, slice),
        (entry) => [DateTime.formatIso(entry.at), entry.id]
      )
    })
  )
