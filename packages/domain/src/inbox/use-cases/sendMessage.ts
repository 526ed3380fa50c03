import { DateTime, Effect } from "effect"
import { record } from "../../audit/index.ts"
import { CurrentActor, nextId, refer, transact, useCase } from "../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { Conversation } from "../Conversation.ts"
import { Conversations } from "../Conversations.ts"
import { type ConversationId, MessageId } from "../Ids.ts"
import { Message, type MessageAuthor, type NewMessage } from "../Message.ts"
import { Messages } from "../Messages.ts"
import { inBrief } from "../receiving/inbound.ts"
import { addressed, sameRecipient } from "../recipients.ts"
import { Sends } from "../SendQueue.ts"
import { urgency } from "../sending/urgency.ts"
import { inStatus } from "../states.ts"
import { compose } from "../writing/compose.ts"
import { reach } from "../writing/reach.ts"
import { lockConversation } from "../changeConversation.ts"

const author = Effect.map(CurrentActor, (actor): MessageAuthor => {
  const { id, kind } = refer(actor)
  return { kind: kind === "system" || kind === "anonymous" ? "automation" : kind, id }
})

/** Where a message goes to somebody else, so do those that follow: until another identity of the contact writes. */
const redirected = (before: Conversation, { at, recipient }: Message): Conversation => {
  const isSame = recipient === null || (before.recipient !== null && sameRecipient(before.recipient, recipient))
  return isSame ? before : addressed(before, recipient, at)
}

/** A conversation that the team has written in. A resolved one is reopened by it. */
const written = Effect.fnUntraced(function* (before: Conversation, message: Message) {
  const { at } = message
  const opened = before.status === "resolved" ? yield* Effect.orDie(inStatus(before, "open", at)) : before
  const taken = redirected(opened, message)
  yield* (yield* Conversations).saveAll([
    new Conversation({ ...taken, lastMessage: inBrief(message), lastActivityAt: at, updatedAt: at })
  ])
  const { id: conversationId, status: from } = before
  const { status: to } = taken
  if (from !== to) yield* appendEvent({ type: "conversation.status_changed", conversationId, from, to })
})

/** Writes a message to the contact. It is sent right after the commit, and its status shows the outcome. */
export const sendMessage = useCase(
  "messages.send",
  { access: { permission: "conversations.manage" } },
  Effect.fnUntraced(function* (conversationId: ConversationId, said: NewMessage) {
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
      author: yield* author,
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
    yield* (yield* Sends).enqueue({ messageId, conversationId, chatAccountId, priority: yield* urgency, now })
    yield* written(conversation, message)
    yield* appendEvent({ type: "message.queued", conversationId, messageId, kind })
    yield* record("message.sent", { kind: "message", id: messageId }, { after: { conversationId, kind } })
    return message
  }, transact)
)
