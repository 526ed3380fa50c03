import { type DateTime, Equal } from "effect"
import type { ChatAccountId, ReportedPayment } from "../../chat/index.ts"
import { Conversation } from "../Conversation.ts"
import type { ContactAccountPair } from "../Conversations.ts"
import type { Media } from "../MediaLibrary.ts"
import type { ConversationId, Message, MessageId } from "../Message.ts"
import type { EarlyReceipt } from "../Messages.ts"
import type { InboxEvent } from "../events.ts"
import { acceptedAt, isByPerson } from "../messageProgress.ts"
import type { AcceptedAnswer, EndedWait, ConversationWait } from "../waiting/Waits.ts"
import {
  applyMessageChange,
  waitTransition,
  isWaitRelevant,
  isAcceptanceLost,
  isSameWait,
  waitsChangedEvent
} from "../waiting/waitTransitions.ts"
import { ContactResolver } from "./ContactResolver.ts"
import { type LoadedState, type ForAccount, pairKey, type ReceivingOutcome } from "./LoadedState.ts"
import type { ReceiptEvent } from "./ContactEvent.ts"
import type { OptKeywords } from "./optOutKeywords.ts"

const hasLostAcceptance = (before: Message | null, after: Message) => before !== null && isAcceptanceLost(before, after)

/** Waits of the conversations of a batch while its events are applied in order. */
export class BatchWaits {
  readonly endings = new Map<MessageId, EndedWait | null>()
  private readonly current = new Map<ConversationId, ConversationWait>()
  private readonly moved = new Set<ConversationId>()
  private readonly answers = new Map<MessageId, AcceptedAnswer>()

  constructor(waiting: ReadonlyArray<ConversationWait>, answers: ReadonlyArray<AcceptedAnswer>) {
    for (const each of waiting) this.know(each)
    for (const answer of answers) this.answers.set(answer.messageId, answer)
  }

  /** Returns the current wait of the conversation; `null` if the conversation was not loaded. */
  of(id: ConversationId): ConversationWait | null {
    return this.current.get(id) ?? null
  }

  /** Records the current wait of the conversation. */
  know({ firstRepliedAt, firstReplyId, id, waitRound, waitingSince }: ConversationWait) {
    this.current.set(id, { firstRepliedAt, firstReplyId, id, waitRound, waitingSince })
  }

  private remember(message: Message, id: MessageId, ending: EndedWait | null) {
    const { conversationId } = message
    this.endings.set(id, ending)
    const known = this.answers.get(id)
    const at = id === message.id ? acceptedAt(message) : (known?.acceptedAt ?? null)
    if (ending === null || at === null) this.answers.delete(id)
    else {
      const byPerson = known?.byPerson ?? isByPerson(message)
      this.answers.set(id, { conversationId, messageId: id, acceptedAt: at, byPerson, ...ending })
    }
  }

  private answersIn(id: ConversationId): ReadonlyArray<AcceptedAnswer> {
    return [...this.answers.values()].filter(({ conversationId }) => conversationId === id)
  }

  /** Returns the wait after the change of a message; `null` if the wait is unchanged. */
  move(before: Message | null, after: Message): ConversationWait | null {
    if (!isWaitRelevant(before, after)) return null
    const waiting = this.current.get(after.conversationId)
    // Another transaction stored the message after this one had read it, so the whole batch is retried.
    if (waiting === undefined) throw new Error("The conversation of a message was not locked.")
    const change = applyMessageChange(
      waiting,
      before,
      after,
      hasLostAcceptance(before, after) ? this.answersIn(waiting.id) : []
    )
    for (const [id, ending] of change.endings) this.remember(after, id, ending)
    if (isSameWait(waiting, change.waiting)) return null
    this.know(change.waiting)
    this.moved.add(waiting.id)
    return change.waiting
  }

  get changed(): ReadonlyArray<ConversationWait> {
    return [...this.moved].flatMap((id) => this.current.get(id) ?? [])
  }
}

const messageKey = (chatAccountId: ChatAccountId, providerMessageId: string) => `${chatAccountId} ${providerMessageId}`

/** State of an inbox while a batch of events is applied to it in order. Nothing is stored here. */
export class InboundBatch {
  readonly contacts: ContactResolver
  readonly now: DateTime.Utc
  readonly nextId: () => string
  private readonly conversations = new Map<string, Conversation>()
  private readonly storedConversations = new Map<ConversationId, Conversation>()
  private readonly touched = new Map<ConversationId, Conversation>()
  private readonly messages = new Map<string, Message>()
  private readonly byId = new Map<MessageId, Message>()
  private readonly accountOf = new Map<MessageId, ChatAccountId>()
  private readonly storedMessages = new Map<MessageId, Message>()
  private readonly early = new Map<string, Array<ForAccount<EarlyReceipt>>>()
  private readonly answered = new Map<MessageId, string>()
  private readonly files: Array<Media> = []
  private readonly events: Array<InboxEvent> = []
  private readonly otherPayments: Array<ForAccount<ReportedPayment>> = []
  private readonly waits: BatchWaits
  readonly words: OptKeywords
  private readonly outside: ReadonlySet<string>
  private ignored = 0

  constructor(known: LoadedState, now: DateTime.Utc, nextId: () => string) {
    this.now = now
    this.outside = known.outside
    this.words = known.words
    this.nextId = nextId
    this.contacts = new ContactResolver(known.contacts, known.optOuts, now, nextId)
    this.waits = new BatchWaits([...known.waiting, ...known.conversations], known.answers)
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

  /** Records the current state of the message. */
  keep(chatAccountId: ChatAccountId, message: Message) {
    this.byId.set(message.id, message)
    this.accountOf.set(message.id, chatAccountId)
    if (message.providerMessageId !== null) {
      this.messages.set(messageKey(chatAccountId, message.providerMessageId), message)
    }
  }

  /** Stores a receipt until its message arrives. */
  await(early: ForAccount<EarlyReceipt>) {
    const key = messageKey(early.chatAccountId, early.of.providerMessageId)
    const waiting = this.early.get(key) ?? []
    if (!waiting.some(({ of }) => Equal.equals(of, early.of))) this.early.set(key, [...waiting, early])
  }

  /** Removes and returns the receipts that wait for this message. */
  removeEarly(chatAccountId: ChatAccountId, providerMessageId: string): ReadonlyArray<EarlyReceipt> {
    const key = messageKey(chatAccountId, providerMessageId)
    const waiting = (this.early.get(key) ?? []).map(({ of }) => of)
    this.early.delete(key)
    return waiting
  }

  /** Returns the message of this account with this id of the provider. */
  known(chatAccountId: ChatAccountId, providerMessageId: string): Message | null {
    return this.messages.get(messageKey(chatAccountId, providerMessageId)) ?? null
  }

  /** Returns the message of the account that a receipt is for. It is found by Parley's id if the receipt has one, else by the provider's id. */
  receipted(chatAccountId: ChatAccountId, { id, reference }: Pick<ReceiptEvent, "id" | "reference">): Message | null {
    const referred = reference === null ? undefined : this.byId.get(reference as MessageId)
    const mine = referred !== undefined && this.accountOf.get(referred.id) === chatAccountId ? referred : undefined
    return mine ?? this.known(chatAccountId, id)
  }

  /** Whether the id belongs to a message outside of conversations. */
  isOutside(reference: string | null): boolean {
    return reference !== null && this.outside.has(reference)
  }

  /** Returns the latest conversation of the contact over the account; `null` if none exists. */
  latest(pair: ContactAccountPair): Conversation | null {
    return this.conversations.get(pairKey(pair)) ?? null
  }

  /** Records the current state of the conversation. */
  change(before: Conversation, after: Conversation) {
    this.conversations.set(pairKey(after), after)
    this.touched.set(after.id, after)
    this.waits.know(after)
    const { status: from } = before
    const { chatAccountId, id: conversationId, status: to } = after
    if (from !== to) this.emit({ type: "conversation.status_changed", conversationId, from, to, chatAccountId })
  }

  /** Updates the wait after a message of the business has changed. */
  moveWaits(before: Message | null, after: Message) {
    const known = this.waits.of(after.conversationId)
    const waiting = this.waits.move(before, after)
    const chatAccountId = this.accountOf.get(after.id)
    if (waiting === null || chatAccountId === undefined) return
    const { firstRepliedAt, firstReplyId, id, waitRound, waitingSince } = waiting
    const fields = { firstRepliedAt, firstReplyId, waitRound, waitingSince }
    for (const [pair, conversation] of this.conversations) {
      if (conversation.id === id) this.conversations.set(pair, new Conversation({ ...conversation, ...fields }))
    }
    const touched = this.touched.get(id)
    if (touched !== undefined) this.touched.set(id, new Conversation({ ...touched, ...fields }))
    this.emit(waitsChangedEvent(id, waitTransition(chatAccountId, known, waiting)))
  }

  emit(event: InboxEvent) {
    this.events.push(event)
  }

  /** Records that a message answers or changes another one, by the other one's provider id. */
  answers(id: MessageId, providerMessageId: string) {
    this.answered.set(id, providerMessageId)
  }

  /** Adds a file to fetch. */
  file(media: Media) {
    this.files.push(media)
  }

  /** Adds a payment of an order that is no message of a conversation. */
  addOtherPayment(payment: ForAccount<ReportedPayment>) {
    this.otherPayments.push(payment)
  }

  /** Counts an event without a known number or person. */
  ignore() {
    this.ignored += 1
  }

  get outcome(): ReceivingOutcome {
    const conversations = [...this.touched.values()]
    const messages = Array.from(this.byId.values(), (of) => ({ chatAccountId: this.accountOf.get(of.id), of })).filter(
      (each): each is ForAccount<Message> => each.chatAccountId !== undefined
    )
    return {
      contacts: this.contacts.changes,
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
      waiting: this.waits.changed.filter(({ id }) => !this.touched.has(id)),
      endings: this.waits.endings,
      files: this.files,
      events: this.events,
      otherPayments: this.otherPayments,
      ignored: this.ignored
    }
  }
}
