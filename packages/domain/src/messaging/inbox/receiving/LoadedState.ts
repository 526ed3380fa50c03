import type { DateTime } from "effect"
import type { Contact, ContactId, ReceivedContacts, SuppressedOptOuts } from "../../../crm/index.ts"
import type { ChatAccountId, ReportedPayment } from "../../chat/index.ts"
import type { Conversation } from "../Conversation.ts"
import type { ContactAccountPair } from "../Conversations.ts"
import type { Media } from "../MediaLibrary.ts"
import type { Message, MessageId } from "../Message.ts"
import type { EarlyReceipt } from "../Messages.ts"
import type { InboxEvent } from "../events.ts"
import type { AcceptedAnswer, EndedWait, ConversationWait } from "../waiting/Waits.ts"
import { ContactResolver } from "./ContactResolver.ts"
import { senderIdentities, type SenderIds } from "./senders.ts"
import {
  eventSenderDetails,
  type ContactEvent,
  eventSender,
  newIdsOf,
  occurredAt,
  type ReceiptEvent
} from "./ContactEvent.ts"
import type { OptKeywords } from "./optOutKeywords.ts"

/** Value that belongs to a chat account. */
export interface ForAccount<A> {
  readonly chatAccountId: ChatAccountId
  readonly of: A
}

/** Current state of everything that the events can refer to. */
export interface LoadedState {
  /** The organization's numbers, by the provider's ids. */
  readonly accounts: ReadonlyMap<string, ChatAccountId>
  readonly contacts: ReadonlyArray<Contact>
  /** Opt-outs on the suppression list for identities that no contact has now. */
  readonly optOuts: SuppressedOptOuts
  /** Latest conversation of each pair of contact and number. */
  readonly conversations: ReadonlyArray<Conversation>
  /** Waits of the conversations with answers that receipts refer to. */
  readonly waiting: ReadonlyArray<ConversationWait>
  /** Later accepted answers in conversations where an accepted answer may fail. */
  readonly answers: ReadonlyArray<AcceptedAnswer>
  readonly messages: ReadonlyArray<ForAccount<Message>>
  /** Receipts with an id of a known contact that the contact does not have. */
  readonly learned: ReadonlySet<ReceiptEvent>
  /** Ids of messages outside of conversations that receipts name. */
  readonly outside: ReadonlySet<MessageId>
  /** The organization's own keywords for opt-out and opt-in. */
  readonly words: OptKeywords
  /** Stored receipts for messages whose provider ids these events contain. */
  readonly early: ReadonlyArray<ForAccount<EarlyReceipt>>
}

/** New or changed rows to store after a batch of events. */
export interface ReceivingOutcome {
  readonly contacts: ReceivedContacts
  readonly opened: ReadonlyArray<Conversation>
  readonly changed: ReadonlyArray<Conversation>
  readonly written: ReadonlyArray<ForAccount<Message>>
  readonly moved: ReadonlyArray<ForAccount<Message>>
  readonly early: ReadonlyArray<ForAccount<EarlyReceipt>>
  /**
   * Provider ids of messages that new messages answer or change, by the new message's id. Answered messages are included only if they are unknown.
   */
  readonly answered: ReadonlyMap<MessageId, string>
  /** Conversations with no other change than their wait. */
  readonly waiting: ReadonlyArray<ConversationWait>
  /** Waits that messages have ended; `null` if a message no longer ends one. */
  readonly endings: ReadonlyMap<MessageId, EndedWait | null>
  readonly files: ReadonlyArray<Media>
  readonly events: ReadonlyArray<InboxEvent>
  /** Payments of orders that are no messages of conversations. */
  readonly otherPayments: ReadonlyArray<ForAccount<ReportedPayment>>
  /** Number of events without a connected number or without a person. */
  readonly ignored: number
}

/** Adds the ids of a recipient to the known contact. A receipt creates no contact. */
const learnRecipient = (resolver: ContactResolver, event: ReceiptEvent) => {
  const { to } = event
  const contact = resolver.find(to, occurredAt(event))
  if (contact !== null) resolver.addIds(contact.id, to)
}

/** Resolves people with several ids first. Events with only one of the ids then find the same contact. */
export const resolveCompleteSenders = (
  resolver: ContactResolver,
  known: Pick<LoadedState, "accounts" | "learned">,
  events: ReadonlyArray<ContactEvent>
) => {
  for (const event of events) if (event.kind === "receipt" && known.learned.has(event)) learnRecipient(resolver, event)
  // A number that a person has given up finds another person in later events.
  for (const event of events) {
    const [person, moved] = [eventSender(event), newIdsOf(event)]
    const contact =
      person === null || moved === null || !known.accounts.has(event.phoneId) ? null : resolver.find(person)
    if (contact === null || person === null || moved === null) continue
    applyNewIds(resolver, contact.id, moved, { from: person, at: occurredAt(event) })
  }
  for (const event of events) {
    const person = eventSender(event)
    if (person !== null && senderIdentities(person).length > 1 && known.accounts.has(event.phoneId)) {
      resolver.resolve(person, eventSenderDetails(event))
    }
  }
}

/** Applies the new phone number and ids of a person. The former number can belong to another person from now on. */
export const applyNewIds = (
  resolver: ContactResolver,
  id: ContactId,
  reported: SenderIds,
  { from, at }: { readonly from: SenderIds; readonly at: DateTime.Utc }
) => {
  resolver.addIds(id, reported)
  if (reported.phone !== null) resolver.renumber(id, reported.phone, from.phone, at)
}

export const pairKey = ({ chatAccountId, contactId }: ContactAccountPair) => `${contactId} ${chatAccountId}`

/** Returns the pairs of known contacts and numbers whose conversations these events can refer to. */
export const findConversationPairs = (
  known: Pick<LoadedState, "accounts" | "contacts" | "learned" | "optOuts">,
  events: ReadonlyArray<ContactEvent>,
  now: DateTime.Utc,
  nextId: () => string
): ReadonlyArray<ContactAccountPair> => {
  const resolver = new ContactResolver(known.contacts, known.optOuts, now, nextId)
  resolveCompleteSenders(resolver, known, events)
  const pairs = new Map<string, ContactAccountPair>()
  for (const event of events) {
    const chatAccountId = known.accounts.get(event.phoneId)
    const person = eventSender(event)
    const hasConversation = event.kind === "message" || event.kind === "echo" || event.kind === "history"
    if (!hasConversation || person === null || chatAccountId === undefined) continue
    const contact = resolver.resolve(person, eventSenderDetails(event))
    if (contact === null) continue
    const moved = newIdsOf(event)
    if (moved !== null) applyNewIds(resolver, contact.id, moved, { from: person, at: occurredAt(event) })
    const pair = { contactId: contact.id, chatAccountId }
    if (resolver.isStored(contact.id)) pairs.set(pairKey(pair), pair)
  }
  return [...pairs.values()]
}
