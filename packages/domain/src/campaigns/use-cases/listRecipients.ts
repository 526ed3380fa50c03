import { Effect } from "effect"
import { pagedWithin, type PageRequest, useCase } from "../../kernel/index.ts"
import { Broadcasts } from "../Broadcasts.ts"
import type { BroadcastId } from "../Ids.ts"
import { RecipientList, type RecipientQuery } from "../RecipientList.ts"
import { namedRecipients } from "../recipients/namedRecipients.ts"
import { requireContact, requireRecipients } from "../recipients/requireRecipients.ts"

/** Reads who is on the list of a broadcast, and what came of each. */
export const listRecipients = useCase(
  "broadcasts.recipients",
  { access: { permission: "broadcasts.read" } },
  Effect.fnUntraced(function* (id: BroadcastId, query: RecipientQuery, page: PageRequest) {
    yield* requireRecipients(yield* (yield* Broadcasts).get(id))
    yield* requireContact(query)
    const recipients = yield* RecipientList
    const { data, nextCursor } = yield* pagedWithin(
      `broadcasts/${id}/recipients`,
      page,
      (slice) => recipients.list(id, query, slice),
      ({ seq }) => [String(seq)]
    )
    return { data: yield* namedRecipients(data), nextCursor }
  })
)
