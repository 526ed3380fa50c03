import { DateTime, Effect } from "effect"
import { Contacts } from "../../crm/index.ts"
import { NotFound, pagedWithin, type PageRequest, useCase } from "../../kernel/index.ts"
import type { BroadcastRecipient } from "../BroadcastRecipient.ts"
import { Broadcasts } from "../Broadcasts.ts"
import { RecipientsExpired } from "../Errors.ts"
import type { BroadcastId } from "../Ids.ts"
import { RecipientList, type RecipientQuery } from "../RecipientList.ts"

/** Reads who is on the list of a broadcast, and what came of each. */
export const listRecipients = useCase(
  "broadcasts.recipients",
  { access: { permission: "broadcasts.read" } },
  Effect.fnUntraced(function* (id: BroadcastId, query: RecipientQuery, page: PageRequest) {
    const { recipientsKeptUntil: expiredAt } = yield* (yield* Broadcasts).get(id)
    if (expiredAt !== null && DateTime.isLessThanOrEqualTo(expiredAt, yield* DateTime.now)) {
      return yield* new RecipientsExpired({ expiredAt })
    }
    if (query.contactId !== null) {
      const [contact] = yield* (yield* Contacts).find([query.contactId])
      if (contact === undefined) return yield* new NotFound({ resource: "contact", pointer: "/contactId" })
    }
    const recipients = yield* RecipientList
    const { data, nextCursor } = yield* pagedWithin(
      `broadcasts/${id}/recipients`,
      page,
      (slice) => recipients.list(id, query, slice),
      ({ seq }) => [String(seq)]
    )
    const contacts = yield* (yield* Contacts).find(data.map(({ contactId }) => contactId))
    const names = new Map(contacts.map((contact) => [contact.id, contact.name]))
    return {
      data: data.map(({ seq: _seq, ...recipient }): BroadcastRecipient => {
        return { ...recipient, name: names.get(recipient.contactId) ?? null }
      }),
      nextCursor
    }
  })
)
