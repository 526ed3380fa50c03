import type { DateTime } from "effect"
import type { Contact, ReceivedContacts, SuppressedOptOuts } from "../../../crm/index.ts"
import type { ChatAccountId } from "../../chat/index.ts"
import type { Conversation } from "../Conversation.ts"
import type { ContactAccountPair } from "../Conversations.ts"
import type { Media } from "../MediaLibrary.ts"
import type { Message, MessageId } from "../Message.ts"
import type { EarlyReceipt } from "../Messages.ts"
import type { InboxEvent } from "../events.ts"
import type { AcceptedAnswer, EndedWait, ConversationWait } from "../waiting/Waits.ts"
import { ContactResolver, senderIdentities } from "./ContactResolver.ts"
import { eventSenderName, type ContactEvent, eventSender } from "./ContactEvent.ts"
import type { OptKeywords } from "./optOutKeywords.ts"

/** Something of a chat account. */
export interface ForAccount<A> {
  readonly chatAccountId: ChatAccountId
  readonly of: A
}

/** Everything that events may be about, as it is. */
export interface LoadedState {
  /** The organization's numbers, by the provider's ids. */
  readonly accounts: ReadonlyMap<string, ChatAccountId>
  readonly contacts: ReadonlyArray<Contact>
  /** The opt-outs that are kept of people who are not known by these identities now. */
  readonly optOuts: SuppressedOptOuts
  /** Of each contact and number, the latest. */
  readonly conversations: ReadonlyArray<Conversation>
  /** Who waits in the conversations of answers that receipts are about. */
  readonly waiting: ReadonlyArray<ConversationWait>
  /** Of conversations in which an answer may fail that was accepted: those that were accepted since. */
  readonly answers: ReadonlyArray<AcceptedAnswer>
  readonly messages: ReadonlyArray<ForAccount<Message>>
  /** The ids of messages outside of conversations that receipts name. */
  readonly outside: ReadonlySet<MessageId>
  /** The organization's words by which somebody wants no more marketing, or wants it again. */
  readonly words: OptKeywords
  /** Receipts that were kept for messages whose provider ids these events tell. */
  readonly early: ReadonlyArray<ForAccount<EarlyReceipt>>
}

/** What is to be stored after a batch of events: only what is new or changed. */
export interface ReceivingOutcome {
  readonly contacts: ReceivedContacts
  readonly opened: ReadonlyArray<Conversation>
  readonly changed: ReadonlyArray<Conversation>
  readonly written: ReadonlyArray<ForAccount<Message>>
  readonly moved: ReadonlyArray<ForAccount<Message>>
  readonly early: ReadonlyArray<ForAccount<EarlyReceipt>>
  /** The provider's ids of the messages that some of those written answer and that nobody knows yet, or that they change. */
  readonly answered: ReadonlyMap<MessageId, string>
  /** Conversations of which only who waits has changed. */
  readonly waiting: ReadonlyArray<ConversationWait>
  /** What messages have ended, or do not end any more. */
  readonly endings: ReadonlyMap<MessageId, EndedWait | null>
  readonly files: ReadonlyArray<Media>
  readonly events: ReadonlyArray<InboxEvent>
  /** How many events were about numbers that are not connected, or about nobody. */
  readonly ignored: number
}

/** Resolves senders with several ids first, so that events with only one of the ids find the same contact. */
export const resolveCompleteSenders = (
  resolver: ContactResolver,
  known: Pick<LoadedState, "accounts">,
  events: ReadonlyArray<ContactEvent>
) => {
  for (const event of events) {
    const person = eventSender(event)
    if (person !== null && senderIdentities(person).length > 1 && known.accounts.has(event.phoneId)) {
      resolver.resolve(person, eventSenderName(event))
    }
  }
}

/** One text for each contact and number. */
export const pairKey = ({ chatAccountId, contactId }: ContactAccountPair) => `${contactId} ${chatAccountId}`

/** The contacts and numbers whose conversations these events may be about, of contacts that there are already. */
export const findConversationPairs = (
  known: Pick<LoadedState, "accounts" | "contacts" | "optOuts">,
  events: ReadonlyArray<ContactEvent>,
  now: DateTime.Utc,
  nextId: () => string
): ReadonlyArray<ContactAccountPair> => {
  const resolver = new ContactResolver(known.contacts, known.optOuts, now, nextId)
  resolveCompleteSenders(resolver, known, events)
  const pairs = new Map<string, ContactAccountPair>()
  for (const event of events) {
    const chatAccountId = known.accounts.get(event.phoneId)
    if ((event.kind !== "message" && event.kind !== "echo") || chatAccountId === undefined) continue
    const contact = resolver.resolve(event.kind === "echo" ? event.to : event.from, eventSenderName(event))
    if (contact === null) continue
    if (event.content.kind === "system" && event.content.newPhone !== null) {
      resolver.renumber(contact.id, event.content.newPhone)
    }
    const pair = { contactId: contact.id, chatAccountId }
    if (resolver.isStored(contact.id)) pairs.set(pairKey(pair), pair)
  }
  return [...pairs.values()]
}
