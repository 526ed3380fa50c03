import { DateTime, Effect } from "effect"
import { Contacts } from "../../../crm/index.ts"
import { type ActorRef, CurrentActor, nextId, NotFound, toActorRef } from "../../../kernel/index.ts"
import { recordAudit } from "../../../platform/audit/index.ts"
import type { LanePriority } from "../../../platform/background/index.ts"
import { Conversation } from "../Conversation.ts"
import { Conversations, type ContactAccountPair } from "../Conversations.ts"
import { ConversationId, Message, type MessageAuthor, MessageId, type NewMessage } from "../Message.ts"
import { Messages } from "../Messages.ts"
import { QueuedSends } from "../SendQueue.ts"
import { isUnread, lockConversation } from "../conversationChanges.ts"
import { withStatus } from "../conversationStates.ts"
import { appendEvent } from "../events.ts"
import { isAnswer } from "../messageProgress.ts"
import { startConversation, findCurrentConversation, toLastMessage } from "../receiving/inboundActivity.ts"
import { withRecipient, isSameRecipient } from "../recipients.ts"
import { compose, type MessageContent } from "./messageComposition.ts"
import { keepOneTimeCode } from "./oneTimeCodes.ts"
import { resolveRecipient } from "./recipientResolution.ts"

/** Author of automatic messages of the inbox, such as the confirmation of an opt-out. */
export const systemAuthor = { kind: "automation", id: "inbox" } as const satisfies MessageAuthor

const authorKinds: Readonly<Record<ActorRef["kind"], MessageAuthor["kind"]>> = {
  user: "user",
  token: "token",
  plugin: "token",
  automation: "automation",
  workflow: "automation",
  operator: "operator",
  operator_token: "operator",
  system: "automation"
}

/** Current actor as the author of a message. */
export const currentAuthor = Effect.map(CurrentActor, (actor): MessageAuthor => {
  const { id, kind } = toActorRef(actor)
  const runId = actor.kind === "delegate" ? actor.runId : undefined
  return { kind: authorKinds[kind], id, ...(runId !== undefined && { runId }) }
})

/** Lane priority of a send: the current actor is a person or a program. */
export const currentSendPriority = Effect.map(CurrentActor, ({ kind }): LanePriority =>
  kind === "user" || kind === "operator" ? "person" : "bulk"
)

/** A message to another recipient redirects the following messages, until another identity of the contact writes. */
const withRedirect = (before: Conversation, { at, recipient }: Message): Conversation => {
  const isSame = recipient === null || (before.recipient !== null && isSameRecipient(before.recipient, recipient))
  return isSame ? before : withRecipient(before, recipient, at)
}

/** Applies a message to a resolved conversation. It reopens, or it stays resolved and restarts the reopening period. */
const reopenAfterMessage = (before: Conversation, at: DateTime.Utc, reopens: boolean) => {
  if (before.status !== "resolved") return Effect.succeed(before)
  return reopens
    ? Effect.orDie(withStatus(before, "open", at))
    : Effect.succeed(new Conversation({ ...before, resolvedAt: at }))
}

/** Conversation after a message of the team. The author of an answer has read all incoming messages. */
export const withWrittenMessage = (before: Conversation, message: Message): Conversation => {
  const isReading = isAnswer(message) && isUnread(before)
  return new Conversation({
    ...withRedirect(before, message),
    ...(isReading && { readCount: before.inboundCount }),
    lastMessage: toLastMessage(message),
    lastActivityAt: message.at,
    updatedAt: message.at
  })
}

/** Records that a message waits to be sent, and that its author has read the conversation. */
export const recordWrittenMessage = Effect.fnUntraced(function* (
  { chatAccountId, id: conversationId, ...before }: Conversation,
  after: Conversation,
  { id: messageId, kind }: Message
) {
  const { status: from } = before
  const { status: to } = after
  if (from !== to) yield* appendEvent({ type: "conversation.status_changed", conversationId, from, to, chatAccountId })
  if (after.readCount !== before.readCount) yield* appendEvent({ type: "conversation.read", conversationId })
  yield* appendEvent({ type: "message.queued", conversationId, messageId, kind })
})

/** Author and options of a message. */
export interface WriteOptions {
  readonly author: MessageAuthor
  readonly priority: LanePriority
  /** Whether the message reopens a resolved conversation. Default: true. */
  readonly reopens?: boolean
}

/** Creates a message that waits to be sent. */
export const newOutboundMessage = Effect.fnUntraced(function* (
  given: MessageContent & Pick<Message, "author" | "at" | "conversationId" | "recipient">
) {
  return new Message({
    ...given,
    id: yield* nextId(MessageId),
    direction: "outbound",
    status: "queued",
    error: null,
    providerMessageId: null,
    sentAt: null,
    deliveredAt: null,
    readAt: null,
    failedAt: null,
    createdAt: given.at
  })
})

/** Stores a conversation after a message. Most messages change few of its columns. */
const saveWritten = Effect.fnUntraced(function* (before: Conversation, after: Conversation) {
  const conversations = yield* Conversations
  yield* before.status === "resolved"
    ? Effect.asVoid(conversations.saveAll([after]))
    : conversations.saveWritten([after])
})

/** Writes a message to the contact into the conversation, if it can be sent. It is sent right after the commit. */
export const writeMessage = Effect.fnUntraced(function* (
  conversationId: ConversationId,
  input: NewMessage,
  { author, priority, reopens = true }: WriteOptions
) {
  const conversation = yield* lockConversation(conversationId)
  const { chatAccountId } = conversation
  const recipient = yield* resolveRecipient(conversation, input.kind, { chosen: input.recipient })
  const content = yield* compose(input, { chatAccountId, conversationId })
  const now = yield* DateTime.now
  const message = yield* newOutboundMessage({ ...content, conversationId, author, recipient, at: now })
  yield* (yield* Messages).insert(chatAccountId, [message])
  if (input.kind === "template") yield* keepOneTimeCode(message, input.template.values ?? {})
  yield* (yield* QueuedSends).enqueue({ chatAccountId, messages: [message], priority, now })
  const after = withWrittenMessage(yield* reopenAfterMessage(conversation, now, reopens), message)
  yield* saveWritten(conversation, after)
  yield* recordWrittenMessage(conversation, after, message)
  return message
})

/** Records a message in the audit trail. A payload for the provider can contain contact data, so the entry names only its type. */
export const recordSentMessage = ({ conversationId, id, kind }: Message, input: NewMessage) => {
  const type = input.kind === "provider" ? { type: input.payload["type"] ?? null } : {}
  return recordAudit("message.sent", { kind: "message", id }, { after: { conversationId, kind, ...type } })
}

/** Writes an automatic message to a contact. A resolved conversation stays resolved until the contact answers. */
export const sendAutomatedMessage = Effect.fnUntraced(function* (conversationId: ConversationId, input: NewMessage) {
  const how = { author: yield* currentAuthor, priority: yield* currentSendPriority, reopens: false }
  const message = yield* writeMessage(conversationId, input, how)
  const { id, kind } = message
  yield* recordAudit("message.sent", { kind: "message", id }, { after: { conversationId, kind } })
  return message
})

/**
 * Returns the conversation for messages to a contact without an unresolved one; an answer will open it. A new conversation starts resolved, without
 * an event.
 */
export const dormantConversation = Effect.fnUntraced(function* (pair: ContactAccountPair) {
  const [contact] = yield* (yield* Contacts).lock([pair.contactId])
  if (contact === undefined) return yield* new NotFound({ resource: "contact" })
  const conversations = yield* Conversations
  const [latest] = yield* conversations.lockLatest([pair])
  const now = yield* DateTime.now
  const found = findCurrentConversation(latest ?? null, now)
  if (found !== null) return found.id
  const id = yield* nextId(ConversationId)
  yield* Effect.orDie(conversations.insert([startConversation(id, pair, true, now, now)]))
  return id
})
