import { DateTime, Effect } from "effect"
import { type ContactId, Contacts, findSuppressed, isSameIdentity, saveReceivedContacts } from "../../../crm/index.ts"
import { transact } from "../../../kernel/index.ts"
import { ContactResolver } from "../receiving/ContactResolver.ts"
import { senderIdentities, type SenderIds } from "../receiving/senders.ts"
import type { PreparedMessage } from "./sendPreparation.ts"

/** Accepted message, with the recipient's ids at the provider. */
export interface Accepted {
  readonly providerMessageId: string
  readonly recipient?: SenderIds
}

const addLearnedIds = Effect.fnUntraced(function* (id: ContactId, told: SenderIds) {
  const contacts = yield* Contacts
  const identities = senderIdentities(told)
  const found = yield* contacts.findByIdentity(identities)
  const locked = yield* contacts.lock([...new Set([id, ...found.map((contact) => contact.id)])])
  const resolver = new ContactResolver(locked, yield* findSuppressed(identities), yield* DateTime.now, () => "")
  resolver.addIds(id, told)
  yield* saveReceivedContacts(resolver.changes)
}, transact)

/** Adds the recipient's ids to the contact: the number as the provider writes it, and the chat user id. The message is sent in any case. */
export const learnRecipient = ({ contactId, identities }: PreparedMessage, told: SenderIds) => {
  const isKnown = senderIdentities(told).every((identity) => identities.some((each) => isSameIdentity(each, identity)))
  return isKnown
    ? Effect.void
    : Effect.catchCause(addLearnedIds(contactId, told), (cause) =>
        Effect.logWarning("The ids of a recipient could not be stored", cause)
      )
}
