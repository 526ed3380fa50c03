import { Effect } from "effect"
import { Contacts } from "../../crm/index.ts"
import type { BroadcastRecipient } from "../BroadcastRecipient.ts"
import type { PlacedRecipient } from "../RecipientList.ts"

/** Recipients with the names that their contacts have now. */
export const namedRecipients = Effect.fnUntraced(function* (recipients: ReadonlyArray<PlacedRecipient>) {
  const contacts = yield* (yield* Contacts).find(recipients.map(({ contactId }) => contactId))
  const names = new Map(contacts.map(({ id, name }) => [id, name]))
  return recipients.map(({ seq: _seq, ...recipient }): BroadcastRecipient => {
    return { ...recipient, name: names.get(recipient.contactId) ?? null }
  })
})
