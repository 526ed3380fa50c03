import { Effect } from "effect"
import { Contacts } from "../../crm/index.ts"
import type { BroadcastRecipient } from "../BroadcastRecipient.ts"
import type { PlacedRecipient } from "../RecipientList.ts"

/** Recipients with the names that their contacts have now. */
export const namedRecipients = Effect.fnUntraced(function* (recipients: ReadonlyArray<PlacedRecipient>) {
  const names = yield* (yield* Contacts).names(recipients.map(({ contactId }) => contactId))
  return recipients.map(({ seq: _seq, ...recipient }): BroadcastRecipient => {
    return { ...recipient, name: names.get(recipient.contactId) ?? null }
  })
})
