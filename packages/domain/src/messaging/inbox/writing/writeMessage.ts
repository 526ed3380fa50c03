import { DateTime, Effect } from "effect"
import { nextId } from "../../../kernel/index.ts"
import type { LanePriority } from "../../../platform/background/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { lockConversation } from "../changeConversation.ts"
import { Conversation } from "../Conversation.ts"
import { Conversations } from "../Conversations.ts"
import { type ConversationId, MessageId } from "../Ids.ts"
import { Message, type MessageAuthor, type NewMessage } from "../Message.ts"
import { Messages } from "../Messages.ts"
import { inBrief } from "../receiving/inbound.ts"
import { addressed, sameRecipient } from "../recipients.ts"
import { isUnread } from "../markRead.ts"
import { Sends } from "../SendQueue.ts"
import { inStatus } from "../states.ts"
import { isAnswer } from "../waiting/answers.ts"
import { compose } from "./compose.ts"
import { reach } from "./reach.ts"

/** Where a message goes to somebody else, so do those that follow: until another identity of the contact writes. */
const redirected = (before: Conversation, { at, recipient }: Message): Conversation => {
  const isSame = recipient === null || (before.recipient !== null && sameRecipient(before.recipient, recipient))
  return isSame ? before : addressed(before, recipient, at)
}

/** A resolved conversation after a message: reopened, or still resolved, and then an answer to it reopens it for as long as if it had just been. */
const after = (before: Conversation, at: DateTime.Utc, reopens: boolean) => {
  if (before.status !== "resolved") return Effect.succeed(before)
  return reopens
    ? Effect.orDie(inStatus(before, "open", at))
    : Effect.succeed(new Conversation({ ...before, resolvedAt: at }))
}

/** A conversation that was written in. Whoever answers has read what came in. */
const written = Effect.fnUntraced(function* (before: Conversation, message: Message, reopens: boolean) {
  const { at } = message
  const taken = redirected(yield* after(before, at, reopens), message)
  const isReading = isAnswer(message) && isUnread(before)
  yield* (yield* Conversations).saveAll([
    new Conversation({
      ...taken,
      ...(isReading && { readCount: taken.inboundCount }),
      lastMessage: inBrief(message),
      lastActivityAt: at,
      updatedAt: at
    })
  ])
  const { chatAccountId, id: conversationId, status: from } = before
  const { status: to } = taken
  if (from !== to) yield* appendEvent({ type: "conversation.status_changed", conversationId, from, to, chatAccountId })
  if (isReading) yield* appendEvent({ type: "conversation.read", conversationId })
})

/** Who writes a message, and how. */
export interface Writing {
  readonly author: MessageAuthor
  readonly priority: LanePriority
  /** Whether a resolved conversation is reopened by it: it is, if nothing is said. */
  readonly reopens?: boolean
}

/** Puts a message to the contact into the conversation, if it may be sent: right after the commit it is. */
export const writeMessage = Effect.fnUntraced(function* (
  conversationId: ConversationId,
  said: NewMessage,
  { author, priority, reopens = true }: Writing
) {
  const conversation = yield* lockConversation(conversationId)
  const { chatAccountId } = conversation
  const recipient = yield* reach(conversation, said.kind, { chosen: said.recipient })
  const content = yield* compose(said, { chatAccountId, conversationId })
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
  yield* (yield* Sends).enqueue({ messageId, conversationId, chatAccountId, priority, now })
  yield* written(conversation, message, reopens)
  yield* appendEvent({ type: "message.queued", conversationId, messageId, kind })
  return message
})
