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
import { compose } from "./messageComposition.ts"
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

/** Applies a written message to the conversation. The author of an answer has read all incoming messages. */
const withWrittenMessage = Effect.fnUntraced(function* (before: Conversation, message: Message, reopens: boolean) {
  const { at } = message
  const taken = withRedirect(yield* reopenAfterMessage(before, at, reopens), message)
  const isReading = isAnswer(message) && isUnread(before)
  yield* (yield* Conversations).saveAll([
    new Conversation({
      ...taken,
      ...(isReading && { readCount: taken.inboundCount }),
      lastMessage: toLastMessage(message),
      lastActivityAt: at,
      updatedAt: at
    })
  ])
  const { chatAccountId, id: conversationId, status: from } = before
  const { status: to } = taken
  if (from !== to) yield* appendEvent({ type: "conversation.status_changed", conversationId, from, to, chatAccountId })
  if (isReading) yield* appendEvent({ type: "conversation.read", conversationId })
})

/** Author and options of a message. */
export interface WriteOptions {
  readonly author: MessageAuthor
  readonly priority: LanePriority
  /** Whether the message reopens a resolved conversation. Default: true. */
  readonly reopens?: boolean
}

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
  const message = new Message({
    ...content,
    id: yield* nextId(MessageId),
    conversationId,
    direction: "outbound",
    author,
    recipient,
    status: "queued",
    error: null,
    providerMessageId: null,
    at: now,
    sentAt: null,
    deliveredAt: null,
    readAt: null,
    failedAt: null,
    createdAt: now
  })
  const { id: messageId, kind } = message
  yield* (yield* Messages).insert(chatAccountId, [message])
  if (input.kind === "template") yield* keepOneTimeCode(message, input.template.values ?? {})
  yield* (yield* QueuedSends).enqueue({ messageId, conversationId, chatAccountId, priority, now })
  yield* withWrittenMessage(conversation, message, reopens)
  yield* appendEvent({ type: "message.queued", conversationId, messageId, kind })
  return message
})

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
