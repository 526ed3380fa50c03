import { DateTime, Effect } from "effect"
import { Contacts } from "../../crm/index.ts"
import { NotFound } from "../../kernel/index.ts"
import type { Broadcast } from "../Broadcast.ts"
import { RecipientsExpired } from "../Errors.ts"
import type { RecipientQuery } from "../RecipientList.ts"

/** When the recipients of the broadcast went, or were to go; `null` while they are kept. */
export const expiryOf = Effect.fnUntraced(function* ({
  recipientsKeptUntil: until
}: Pick<Broadcast, "recipientsKeptUntil">) {
  return until !== null && DateTime.isLessThanOrEqualTo(until, yield* DateTime.now) ? until : null
})

/** Refuses a broadcast whose recipients are not kept any more. */
export const requireRecipients = Effect.fnUntraced(function* (broadcast: Broadcast) {
  const expiredAt = yield* expiryOf(broadcast)
  if (expiredAt !== null) return yield* new RecipientsExpired({ expiredAt })
})

/** Refuses to look for a contact that is not there, so that a slip is no empty list. */
export const requireContact = Effect.fnUntraced(function* ({ contactId }: RecipientQuery) {
  if (contactId === null) return
  const [contact] = yield* (yield* Contacts).find([contactId])
  if (contact === undefined) return yield* new NotFound({ resource: "contact", pointer: "/contactId" })
})
