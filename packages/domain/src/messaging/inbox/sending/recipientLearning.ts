import { DateTime, Effect } from "effect"
import {
  type ContactId,
  Contacts,
  findSuppressed,
  type IdentityRef,
  isSameIdentity,
  saveReceivedContacts
} from "../../../crm/index.ts"
import { transact } from "../../../kernel/index.ts"
import { ContactResolver } from "../receiving/ContactResolver.ts"
import { senderIdentities, type SenderIds } from "../receiving/senders.ts"
import type { PreparedMessage } from "./sendPreparation.ts"

/** Accepted message, with the recipient's ids at the provider. */
export interface Accepted {
  readonly providerMessageId: string
  readonly recipient?: SenderIds
}

const addLearnedIds = Effect.fnUntraced(function* (id: ContactId, reported: SenderIds) {
  const contacts = yield* Contacts
  const identities = senderIdentities(reported)
  const found = yield* contacts.findByIdentity(identities)
  const locked = yield* contacts.lock([...new Set([id, ...found.map((contact) => contact.id)])])
  const resolver = new ContactResolver(locked, yield* findSuppressed(identities), yield* DateTime.now, () => "")
  resolver.addIds(id, reported)
  yield* saveReceivedContacts(resolver.changes)
}, transact)

/** Ids as the provider writes them, without validation. */
const reportedIdentities = ({ chatUser, external, parentUser, phone }: SenderIds): ReadonlyArray<IdentityRef> => [
  ...(phone === null ? [] : [{ kind: "phone" as const, value: phone.startsWith("+") ? phone : `+${phone}` }]),
  ...[chatUser, parentUser].flatMap((value) => (value ? [{ kind: "chat_user" as const, value }] : [])),
  ...(external === undefined ? [] : [{ kind: "external" as const, value: external }])
]

const areAllKnown = (reported: ReadonlyArray<IdentityRef>, known: ReadonlyArray<IdentityRef>): boolean =>
  reported.every((identity) => known.some((each) => isSameIdentity(each, identity)))

/** Adds the recipient's ids to the contact: the number as the provider writes it, and the chat user id. The message is sent in any case. */
export const learnRecipient = ({ contactId, identities }: PreparedMessage, reported: SenderIds) => {
  // Almost every answer repeats a known number. Parsing takes 20 µs, so only other numbers are parsed.
  const isKnown =
    areAllKnown(reportedIdentities(reported), identities) || areAllKnown(senderIdentities(reported), identities)
  return isKnown
    ? Effect.void
    : Effect.catchCause(addLearnedIds(contactId, reported), (cause) =>
        Effect.logWarning("The ids of a recipient could not be stored", cause)
      )
}
