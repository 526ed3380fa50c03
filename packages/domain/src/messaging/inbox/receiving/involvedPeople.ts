import { Effect } from "effect"
import {
  type Contact,
  Contacts,
  findSuppressed,
  identityLookupKey,
  type IdentityPair,
  type IdentityRef
} from "../../../crm/index.ts"
import type { ChatAccountId } from "../../chat/index.ts"
import { type ContactEvent, eventSender, newIdsOf, type ReceiptEvent } from "./ContactEvent.ts"
import { senderIdentities, senderPairs } from "./senders.ts"

/** Returns the identities of all people in these events. */
export const findIdentities = (events: ReadonlyArray<ContactEvent>, learned: ReadonlySet<ReceiptEvent>) =>
  events.flatMap((event) => {
    if (event.kind === "receipt") {
      return event.error?.remedy === "opt_out" || learned.has(event) ? [event.to] : []
    }
    return [eventSender(event) ?? [], newIdsOf(event) ?? []].flat()
  })

/** Identities that an event reports for one person. The ids before and after a change are both included. */
const identityPairsOf = (event: ContactEvent): ReadonlyArray<IdentityPair> => {
  const person = eventSender(event)
  if (person === null) return []
  const moved = newIdsOf(event)
  if (person.chatUser === null || moved?.chatUser == null) return senderPairs(person)
  return [
    ...senderPairs(person),
    ...senderPairs({ phone: null, chatUser: person.chatUser, parentUser: moved.chatUser })
  ]
}

/** Returns pairs of identities that the provider reports for one person, in an order independent of the events. */
export const findIdentityPairs = (
  accounts: ReadonlyMap<string, ChatAccountId>,
  events: ReadonlyArray<ContactEvent>
) => {
  const together = new Map<string, IdentityPair>()
  for (const event of events) {
    if (!accounts.has(event.phoneId)) continue
    for (const [one, other] of identityPairsOf(event)) {
      together.set(`${identityLookupKey(one)} ${identityLookupKey(other)}`, [one, other])
    }
  }
  return Array.from(together)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, pair]) => pair)
}

/**
 * Finds receipts that name a chat user id next to the phone number of a contact without that id. Otherwise a later message with the id alone would
 * be from a stranger.
 */
export const findLearnedReceipts = Effect.fnUntraced(function* (events: ReadonlyArray<ContactEvent>) {
  const both = events.flatMap((event) =>
    event.kind === "receipt" && event.to.phone !== null && event.to.chatUser !== null ? [event] : []
  )
  if (both.length === 0) return new Set<ReceiptEvent>()
  const identities = both.flatMap(({ to }) => senderIdentities(to))
  const contacts = yield* (yield* Contacts).findByIdentity(identities)
  const known = new Set(contacts.flatMap((contact) => contact.identities.map(identityLookupKey)))
  const isKnown = (identity: IdentityRef) => known.has(identityLookupKey(identity))
  return new Set(both.filter(({ to }) => senderIdentities(to).some(isKnown) && !senderIdentities(to).every(isKnown)))
})

/** Finds opt-outs on the suppression list for identities that no contact has now. */
export const findOptOuts = (identities: ReadonlyArray<IdentityRef>, contacts: ReadonlyArray<Contact>) => {
  const names = new Set(contacts.flatMap((contact) => contact.identities.map(identityLookupKey)))
  return findSuppressed(identities.filter((identity) => !names.has(identityLookupKey(identity))))
}

/** Locks and reads the contacts of these events. */
export const lockInvolvedContacts = Effect.fnUntraced(function* (identities: ReadonlyArray<IdentityRef>) {
  const contacts = yield* Contacts
  if (identities.length === 0) return []
  const found = yield* contacts.findByIdentity(identities)
  return found.length === 0 ? [] : yield* contacts.lock(found.map(({ id }) => id))
})
