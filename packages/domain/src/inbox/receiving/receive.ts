import { DateTime, Equal } from "effect"
import type { Arrived, ChatAccountId, InboundEvent } from "../../chat/index.ts"
import type { Contact, ContactId, KeptOptOuts, MetContacts } from "../../crm/index.ts"
import type { Conversation } from "../Conversation.ts"
import type { Pair } from "../Conversations.ts"
import type { InboxEvent } from "../Events.ts"
import { ConversationId, type MessageId } from "../Ids.ts"
import type { Media } from "../Media.ts"
import { Message } from "../Message.ts"
import type { EarlyReceipt } from "../Messages.ts"
import { withReceipt } from "../receipts.ts"
import { arrivalId } from "./arrivalId.ts"
import { contentOf } from "./contentOf.ts"
import { begun, conversationFor, isQuiet, opensWindow, withEcho, withInbound } from "./inbound.ts"
import { identitiesOf, Meeting, type Told, wayTo } from "./Meeting.ts"
import { optsOut } from "./optOutWords.ts"
import { rawOf } from "./rawOf.ts"
import { referralOf } from "./referralOf.ts"

/** What contacts do, as the provider tells it. */
export type PersonalEvent = Arrived<
  Extract<InboundEvent, { readonly kind: "message" | "echo" | "receipt" | "preference" }>
>
type MessageEvent = Extract<PersonalEvent, { readonly kind: "message" }>
type EchoEvent = Extract<PersonalEvent, { readonly kind: "echo" }>
type ReceiptEvent = Extract<PersonalEvent, { readonly kind: "receipt" }>
type PreferenceEvent = Extract<PersonalEvent, { readonly kind: "preference" }>

/** Something of a chat account. */
export interface OfAccount<A> {
  readonly chatAccountId: ChatAccountId
  readonly of: A
}

/** Everything that events may be about, as it is. */
export interface KnownToReceiving {
  /** The organization's numbers, by the provider's ids. */
  readonly accounts: ReadonlyMap<string, ChatAccountId>
  readonly contacts: ReadonlyArray<Contact>
  /** The opt-outs that are kept of people who are not known by these identities now. */
  readonly optOuts: KeptOptOuts
  /** Of each contact and number, the latest. */
  readonly conversations: ReadonlyArray<Conversation>
  readonly messages: ReadonlyArray<OfAccount<Message>>
  /** Receipts that were kept for messages whose provider ids these events tell. */
  readonly early: ReadonlyArray<OfAccount<EarlyReceipt>>
}

/** What has become of it: only what is new or different. */
export interface ReceivingOutcome {
  readonly met: MetContacts
  readonly opened: ReadonlyArray<Conversation>
  readonly changed: ReadonlyArray<Conversation>
  readonly written: ReadonlyArray<OfAccount<Message>>
  readonly moved: ReadonlyArray<OfAccount<Message>>
  readonly early: ReadonlyArray<OfAccount<EarlyReceipt>>
  /** The provider's ids of the messages that some of those written answer and that nobody knows yet, or that they change. */
  readonly answered: ReadonlyMap<MessageId, string>
  readonly files: ReadonlyArray<Media>
  readonly events: ReadonlyArray<InboxEvent>
  /** How many events were about numbers that are not connected, or about nobody. */
  readonly ignored: number
}

const pairKey = ({ chatAccountId, contactId }: Pair) => `${contactId} ${chatAccountId}`

const messageKey = (chatAccountId: ChatAccountId, providerMessageId: string) => `${chatAccountId} ${providerMessageId}`

/** Whom an event that makes contacts is about. */
export const personOf = (event: PersonalEvent): Told | null =>
  event.kind === "receipt" ? null : event.kind === "echo" ? event.to : event.from

const nameIn = (event: PersonalEvent) => (event.kind === "message" ? event.from.name : null)

/** Those of whom most is told come first, so that whoever is told of in part is known by then. */
const introduce = (
  meeting: Meeting,
  known: Pick<KnownToReceiving, "accounts">,
  events: ReadonlyArray<PersonalEvent>
) => {
  for (const event of events) {
    const person = personOf(event)
    if (person !== null && identitiesOf(person).length > 1 && known.accounts.has(event.phoneId)) {
      meeting.meet(person, nameIn(event))
    }
  }
}

/** The contacts and numbers whose conversations these events may be about, of contacts that there are already. */
export const pairsOf = (
  known: Pick<KnownToReceiving, "accounts" | "contacts" | "optOuts">,
  events: ReadonlyArray<PersonalEvent>,
  now: DateTime.Utc,
  nextId: () => string
): ReadonlyArray<Pair> => {
  const meeting = new Meeting(known.contacts, known.optOuts, now, nextId)
  introduce(meeting, known, events)
  const pairs = new Map<string, Pair>()
  for (const event of events) {
    const chatAccountId = known.accounts.get(event.phoneId)
    if ((event.kind !== "message" && event.kind !== "echo") || chatAccountId === undefined) continue
    const contact = meeting.meet(event.kind === "echo" ? event.to : event.from, nameIn(event))
    if (contact === null) continue
    if (event.content.kind === "system" && event.content.newPhone !== null) {
      meeting.renumber(contact.id, event.content.newPhone)
    }
    const pair = { contactId: contact.id, chatAccountId }
    if (meeting.isStored(contact.id)) pairs.set(pairKey(pair), pair)
  }
  return [...pairs.values()]
}

/** The provider's id of the message that this one is about. */
export const answeredBy = ({ content, replyTo }: MessageEvent | EchoEvent): string | null => {
  if (content.kind === "reaction") return content.to
  return content.kind === "edit" || content.kind === "revocation" ? content.of : replyTo
}

class Receiving {
  readonly meeting: Meeting
  readonly known: KnownToReceiving
  readonly now: DateTime.Utc
  readonly nextId: () => string
  private readonly conversations = new Map<string, Conversation>()
  private readonly storedConversations = new Map<ConversationId, Conversation>()
  private readonly touched = new Map<ConversationId, Conversation>()
  private readonly messages = new Map<string, Message>()
  private readonly byId = new Map<MessageId, Message>()
  private readonly accountOf = new Map<MessageId, ChatAccountId>()
  private readonly storedMessages = new Map<MessageId, Message>()
  private readonly early = new Map<string, Array<OfAccount<EarlyReceipt>>>()
  private readonly answered = new Map<MessageId, string>()
  private readonly files: Array<Media> = []
  private readonly events: Array<InboxEvent> = []
  private ignored = 0

  constructor(known: KnownToReceiving, now: DateTime.Utc, nextId: () => string) {
    this.known = known
    this.now = now
    this.nextId = nextId
    this.meeting = new Meeting(known.contacts, known.optOuts, now, nextId)
    for (const conversation of known.conversations) {
      this.conversations.set(pairKey(conversation), conversation)
      this.storedConversations.set(conversation.id, conversation)
    }
    for (const { chatAccountId, of } of known.messages) {
      this.storedMessages.set(of.id, of)
      this.keep(chatAccountId, of)
    }
    for (const early of known.early) this.await(early)
  }

  private keep(chatAccountId: ChatAccountId, message: Message) {
    this.byId.set(message.id, message)
    this.accountOf.set(message.id, chatAccountId)
    if (message.providerMessageId !== null) {
      this.messages.set(messageKey(chatAccountId, message.providerMessageId), message)
    }
  }

  private await(early: OfAccount<EarlyReceipt>) {
    const key = messageKey(early.chatAccountId, early.of.providerMessageId)
    const waiting = this.early.get(key) ?? []
    if (!waiting.some(({ of }) => Equal.equals(of, early.of))) this.early.set(key, [...waiting, early])
  }

  /** No time that a provider tells lies after the delivery that tells it, whenever that is applied. */
  private past({ arrival, at }: PersonalEvent) {
    return DateTime.min(at, arrival.at)
  }

  apply(event: PersonalEvent) {
    const chatAccountId = this.known.accounts.get(event.phoneId)
    if (chatAccountId === undefined) {
      this.ignored += 1
      return
    }
    if (event.kind === "message") this.message(chatAccountId, event)
    else if (event.kind === "echo") this.echo(chatAccountId, event)
    else if (event.kind === "receipt") this.receipt(chatAccountId, event)
    else this.preference(event)
  }

  private message(chatAccountId: ChatAccountId, event: MessageEvent) {
    if (this.messages.has(messageKey(chatAccountId, event.id))) return
    const contact = this.meeting.meet(event.from, event.from.name)
    if (contact === null) {
      this.ignored += 1
      return
    }
    const { content, fromAdvertisement } = event
    const isBlocked = this.meeting.isBlocked(contact.id)
    const byContact = opensWindow(content)
    const quiet = isBlocked || isQuiet(content)
    const { conversation, message } = this.put(chatAccountId, contact.id, event, quiet, {
      direction: "inbound",
      author: { kind: "contact", id: contact.id },
      recipient: null,
      status: "received",
      sentAt: null,
      referral: referralOf(event.referral)
    })
    const moved = content.kind === "system" ? content.newPhone : null
    if (moved !== null) this.meeting.renumber(contact.id, moved)
    const ways = this.meeting.waysOf(contact.id, moved === null ? event.from : { phone: moved, chatUser: null })
    const [from = null] = byContact || moved !== null ? ways : []
    const inbound = { message, from, ways, fromAdvertisement, byContact, quiet }
    this.change(conversation, withInbound(conversation, inbound, this.now))
    const { at, conversationId, id: messageId, kind } = message
    if (!isBlocked)
      this.events.push({ type: "message.received", conversationId, messageId, contactId: contact.id, kind })
    if (content.kind !== "system") this.meeting.seen(contact.id, at)
    if ((kind === "text" || kind === "interactive" || kind === "edit") && optsOut(message.text)) {
      this.meeting.tell(contact.id, { state: "unsubscribed", source: "chat_keyword", evidence: message.text, at })
    }
  }

  /** What the business wrote elsewhere belongs to the conversation, and leaves it to the team in what state that is. */
  private echo(chatAccountId: ChatAccountId, event: EchoEvent) {
    if (this.messages.has(messageKey(chatAccountId, event.id))) return
    const contact = this.meeting.meet(event.to, null)
    if (contact === null) {
      this.ignored += 1
      return
    }
    const { conversation, message } = this.put(chatAccountId, contact.id, event, true, {
      direction: "outbound",
      author: { kind: "phone_app", id: chatAccountId },
      recipient: wayTo(event.to),
      status: "sent",
      sentAt: this.past(event),
      referral: null
    })
    this.change(conversation, withEcho(conversation, message, this.now))
    const { conversationId, id: messageId, kind, status: from } = message
    this.events.push({ type: "message.echoed", conversationId, messageId, contactId: contact.id, kind })
    const after = this.removeEarly(chatAccountId, event.id).reduce(withReceipt, message)
    this.keep(chatAccountId, after)
    const { status: to } = after
    if (from !== to) this.events.push({ type: "message.status_changed", conversationId, messageId, from, to })
  }

  /** The receipts that wait for this message: from now on they do not. */
  private removeEarly(chatAccountId: ChatAccountId, providerMessageId: string): ReadonlyArray<EarlyReceipt> {
    const key = messageKey(chatAccountId, providerMessageId)
    const waiting = (this.early.get(key) ?? []).map(({ of }) => of)
    this.early.delete(key)
    return waiting
  }

  /** Puts what was told into the conversation of the two. */
  private put(
    chatAccountId: ChatAccountId,
    contactId: ContactId,
    event: MessageEvent | EchoEvent,
    quiet: boolean,
    side: Pick<Message, "direction" | "author" | "recipient" | "status" | "sentAt" | "referral">
  ) {
    const { content } = event
    const at = this.past(event)
    const conversation = this.conversationOf({ contactId, chatAccountId }, quiet, at)
    const { file, parts } = contentOf(content, chatAccountId, this.nextId, this.now)
    const answered = answeredBy(event)
    const message = new Message({
      ...parts,
      ...side,
      id: arrivalId(event.arrival, event.id),
      conversationId: conversation.id,
      template: null,
      raw: rawOf(event, parts.kind),
      replyToId: this.repliedTo(chatAccountId, conversation.id, answered),
      error: null,
      providerMessageId: event.id,
      at,
      deliveredAt: null,
      readAt: null,
      failedAt: null,
      createdAt: this.now
    })
    this.keep(chatAccountId, message)
    // What changes another message is looked for by the provider's id of that one, also where it is known.
    const isChange = content.kind === "edit" || content.kind === "revocation"
    if (answered !== null && (message.replyToId === null || isChange)) this.answered.set(message.id, answered)
    if (file !== null) this.files.push(file)
    return { conversation, message }
  }

  private repliedTo(chatAccountId: ChatAccountId, conversationId: ConversationId, to: string | null) {
    const found = to === null ? undefined : this.messages.get(messageKey(chatAccountId, to))
    return found?.conversationId === conversationId ? found.id : null
  }

  private conversationOf(pair: Pair, quiet: boolean, at: DateTime.Utc): Conversation {
    const found = conversationFor(this.conversations.get(pairKey(pair)) ?? null, this.now)
    if (found !== null) return found
    const conversation = begun(ConversationId.make(this.nextId()), pair, quiet, at, this.now)
    this.events.push({ type: "conversation.opened", conversationId: conversation.id, ...pair })
    return conversation
  }

  private change(before: Conversation, after: Conversation) {
    this.conversations.set(pairKey(after), after)
    this.touched.set(after.id, after)
    const { status: from } = before
    const { id: conversationId, status: to } = after
    if (from !== to) this.events.push({ type: "conversation.status_changed", conversationId, from, to })
  }

  private receipt(chatAccountId: ChatAccountId, event: ReceiptEvent) {
    const { id: providerMessageId, error, pricing, status } = event
    if (error?.remedy === "opt_out") this.optOut(event)
    const receipt: EarlyReceipt = {
      providerMessageId,
      status,
      at: this.past(event),
      error,
      ...(pricing !== undefined && { pricing })
    }
    const found = this.receipted(chatAccountId, event)
    if (found === null) this.await({ chatAccountId, of: receipt })
    else this.move(chatAccountId, found, receipt)
  }

  private optOut(event: ReceiptEvent) {
    const { error, to } = event
    const contact = this.meeting.find(to)
    if (contact === null) return
    const evidence = error === null ? null : error.reason
    this.meeting.tell(contact.id, { state: "unsubscribed", source: "chat_refusal", evidence, at: this.past(event) })
  }

  /** The message of the account that a receipt is for: whose id it carries, or else the one that the provider knows by its id. */
  private receipted(chatAccountId: ChatAccountId, { id, reference }: ReceiptEvent): Message | null {
    const referred = reference === null ? undefined : this.byId.get(reference as MessageId)
    const mine = referred !== undefined && this.accountOf.get(referred.id) === chatAccountId ? referred : undefined
    return mine ?? this.messages.get(messageKey(chatAccountId, id)) ?? null
  }

  private move(chatAccountId: ChatAccountId, before: Message, receipt: EarlyReceipt) {
    if (before.direction === "inbound") return
    const { providerMessageId } = receipt
    const isSame = before.providerMessageId === providerMessageId
    const waitsAgain = before.status === "queued" && before.providerMessageId !== null
    // It waits to be sent once more: of the earlier sending it only counts that it has arrived after all.
    if (waitsAgain && isSame && (receipt.status === "sent" || receipt.status === "failed")) return
    const isNaming = before.providerMessageId === null || (waitsAgain && !isSame)
    // It was sent more than once: that an earlier sending has failed says nothing about the last.
    if (!isNaming && !isSame && receipt.status === "failed") return
    const named = isNaming ? new Message({ ...before, providerMessageId }) : before
    const after = [receipt, ...this.removeEarly(chatAccountId, providerMessageId)].reduce(withReceipt, named)
    if (Equal.equals({ ...before }, { ...after })) return
    this.keep(chatAccountId, after)
    const { conversationId, id: messageId, status: to } = after
    const { status: from } = before
    if (from !== to) this.events.push({ type: "message.status_changed", conversationId, messageId, from, to })
  }

  private preference(event: PreferenceEvent) {
    const { from, marketing } = event
    const contact = this.meeting.meet(from, null)
    if (contact === null) {
      this.ignored += 1
      return
    }
    const state = marketing === "stop" ? "unsubscribed" : "subscribed"
    this.meeting.tell(contact.id, { state, source: "chat_preferences", evidence: null, at: this.past(event) })
  }

  get outcome(): ReceivingOutcome {
    const conversations = [...this.touched.values()]
    const messages = Array.from(this.byId.values(), (of) => ({ chatAccountId: this.accountOf.get(of.id), of })).filter(
      (each): each is OfAccount<Message> => each.chatAccountId !== undefined
    )
    return {
      met: this.meeting.met,
      opened: conversations.filter(({ id }) => !this.storedConversations.has(id)),
      changed: conversations.filter(({ id }) => this.storedConversations.has(id)),
      written: messages.filter(({ of }) => !this.storedMessages.has(of.id)),
      moved: messages.filter(({ of }) => {
        const before = this.storedMessages.get(of.id)
        return before !== undefined && before !== of
      }),
      early: Array.from(this.early)
        .filter(([key]) => !this.messages.has(key))
        .flatMap(([, waiting]) => waiting),
      answered: this.answered,
      files: this.files,
      events: this.events,
      ignored: this.ignored
    }
  }
}

/**
 * What comes of these events. Shuffled, repeated, or told in other batches they come to the same messages in the same order,
 * statuses, counts and windows. Nothing is read or stored here, and the ids of what is new come from outside.
 */
export const receive = (
  known: KnownToReceiving,
  events: ReadonlyArray<PersonalEvent>,
  now: DateTime.Utc,
  nextId: () => string
): ReceivingOutcome => {
  const receiving = new Receiving(known, now, nextId)
  introduce(receiving.meeting, known, events)
  for (const event of events) receiving.apply(event)
  return receiving.outcome
}
