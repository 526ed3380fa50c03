import { type Slice, transact, type UserId } from "@parley/domain/kernel"
import {
  ChatAccountId,
  Conversation,
  ConversationId,
  type ConversationQuery,
  Conversations,
  type ConversationWithContact,
  Media,
  MediaId,
  Message,
  MessageId,
  Messages
} from "@parley/domain/messaging"
import { DateTime, Effect, Schema } from "effect"
import { givenContact, morning } from "../../crm/given.ts"
import { freshId, freshText } from "../../given.ts"

/** Returns the time this number of minutes after the contracts' morning. */
export const minutes = (count: number): DateTime.Utc => DateTime.add(morning, { minutes: count })

const encodeConversation = Schema.encodeSync(Conversation)
const encodeMessage = Schema.encodeSync(Message)

/** A conversation as plain values. */
export const plainConversation = (conversation: Conversation) => encodeConversation(conversation)

/** A message as plain values. */
export const plainMessage = (message: Message) => encodeMessage(message)

/** A conversation that is open, and has nothing in it yet. */
export const newConversation = (
  input: Partial<Conversation> & Pick<Conversation, "contactId" | "chatAccountId">
): Conversation =>
  new Conversation({
    id: freshId(ConversationId),
    status: "open",
    priority: "none",
    assigneeId: null,
    snoozedUntil: input.status === "snoozed" ? minutes(600) : null,
    labels: [],
    inboundCount: 0,
    readCount: 0,
    lastMessage: null,
    lastInboundAt: null,
    recipient: null,
    recipientAt: null,
    windowExpiresAt: null,
    otherWindows: [],
    resolvedAt: input.status === "resolved" ? morning : null,
    lastActivityAt: morning,
    createdAt: morning,
    updatedAt: morning,
    version: 1,
    ...input
  })

export const insertConversations = (conversations: ReadonlyArray<Conversation>) =>
  transact(Effect.flatMap(Conversations, (port) => port.insert(conversations)))

export const saveConversations = (conversations: ReadonlyArray<Conversation>) =>
  transact(
    Effect.flatMap(Conversations, (port) =>
      Effect.andThen(port.lock(conversations.map(({ id }) => id)), port.saveAll(conversations))
    )
  )

/** Stores a conversation. Default: with its own contact and account. */
export const givenConversation = Effect.fnUntraced(function* (overrides: Partial<Conversation> = {}) {
  const contactId = overrides.contactId ?? (yield* givenContact()).id
  const conversation = newConversation({ chatAccountId: freshId(ChatAccountId), ...overrides, contactId })
  yield* Effect.orDie(insertConversations([conversation]))
  return conversation
})

/** A text that came in. */
export const newMessage = (
  { contactId, id: conversationId }: Pick<Conversation, "id" | "contactId">,
  overrides: Partial<Message> = {}
): Message =>
  new Message({
    id: freshId(MessageId),
    conversationId,
    direction: "inbound",
    kind: "text",
    text: "Do you have bread?",
    media: null,
    template: null,
    interactive: null,
    location: null,
    contacts: null,
    replyToId: null,
    recipient: null,
    author: { kind: "contact", id: contactId },
    status: "received",
    error: null,
    providerMessageId: freshText("provider"),
    at: morning,
    sentAt: null,
    deliveredAt: null,
    readAt: null,
    failedAt: null,
    createdAt: morning,
    ...overrides
  })

export const insertMessages = (
  chatAccountId: ChatAccountId,
  messages: ReadonlyArray<Message>,
  answered?: ReadonlyMap<MessageId, string>
) => transact(Effect.flatMap(Messages, (port) => port.insert(chatAccountId, messages, answered)))

/** A message of the conversation in the store. */
export const givenMessage = Effect.fnUntraced(function* (conversation: Conversation, overrides: Partial<Message> = {}) {
  const message = newMessage(conversation, overrides)
  yield* insertMessages(conversation.chatAccountId, [message])
  return message
})

/** Media with bytes still at the provider. */
export const newMedia = (overrides: Partial<Media> = {}): Media =>
  new Media({
    id: freshId(MediaId),
    kind: "image",
    mimeType: "image/png",
    filename: 'Bröt "1\\2".png',
    size: null,
    state: "remote",
    fileId: null,
    remote: { chatAccountId: freshId(ChatAccountId), mediaId: "remote-1" },
    createdAt: morning,
    ...overrides
  })

/** Every conversation, latest activity first. */
export const everything: ConversationQuery = {
  statuses: null,
  assignee: null,
  unread: null,
  awaitingReply: null,
  priorities: null,
  labels: null,
  chatAccountId: null,
  contactId: null,
  words: null,
  sort: "-lastActivityAt"
}

/** The key of a row in a list. */
export const keyOf = (
  { sort }: ConversationQuery,
  { createdAt, id, lastActivityAt, priority, waitingSince }: Conversation
): ReadonlyArray<string> => {
  if (sort === "priority") {
    const rank = ["urgent", "high", "medium", "low", "none"].indexOf(priority)
    return [String(rank), DateTime.formatIso(lastActivityAt), id]
  }
  if (sort === "waitingSince") {
    return [waitingSince === null ? "1" : "0", DateTime.formatIso(waitingSince ?? lastActivityAt), id]
  }
  return [DateTime.formatIso(sort.endsWith("createdAt") ? createdAt : lastActivityAt), id]
}

/** The whole slice of a list, however often it stops on the way. */
export const listedConversations = Effect.fnUntraced(function* (query: ConversationQuery, slice: Slice) {
  const conversations = yield* Conversations
  const found: Array<ConversationWithContact> = []
  let { after } = slice
  do {
    const { resume, rows } = yield* conversations.list(query, { limit: slice.limit - found.length, after })
    found.push(...rows)
    after = resume
  } while (after !== null && found.length < slice.limit)
  return found
})

export const storedConversation = (id: ConversationId) =>
  Effect.flatMap(Conversations, (conversations) => conversations.get(id))

export const lockLatest = (pairs: ReadonlyArray<Pick<Conversation, "contactId" | "chatAccountId">>) =>
  Effect.flatMap(Conversations, (conversations) => conversations.lockLatest(pairs))

export const countsFor = (me: UserId | null) =>
  Effect.flatMap(Conversations, (conversations) => conversations.counts(me))

export const noConversations = { open: 0, pending: 0, snoozed: 0, resolved: 0, mine: 0, unassigned: 0, unread: 0 }

/** Opens a conversation if none exists. */
export const openConversation = Effect.fnUntraced(function* (pair: Pick<Conversation, "contactId" | "chatAccountId">) {
  const [latest] = yield* lockLatest([pair])
  if (latest !== undefined && latest.status !== "resolved") return latest.id
  const conversation = newConversation(pair)
  yield* (yield* Conversations).insert([conversation])
  return conversation.id
}, transact)

export const outboundFields = (overrides: Partial<Message> = {}) => ({
  direction: "outbound" as const,
  author: { kind: "user" as const, id: freshId(MessageId) },
  status: "sent" as const,
  ...overrides
})
