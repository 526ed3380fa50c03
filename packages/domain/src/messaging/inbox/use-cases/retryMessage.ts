import { DateTime, Effect } from "effect"
import { record } from "../../../platform/audit/index.ts"
import { MessageTemplates } from "../../chat/index.ts"
import { NotFound, transact, useCase } from "../../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import type { Conversation } from "../Conversation.ts"
import { MessageNotRetryable } from "../Errors.ts"
import type { ConversationId, MessageId } from "../Ids.ts"
import { Message, type MessageRetry } from "../Message.ts"
import { Messages } from "../Messages.ts"
import { Sends } from "../SendQueue.ts"
import { urgency } from "../sending/urgency.ts"
import { reach } from "../writing/reach.ts"
import { checkTemplate } from "../writing/templateToSend.ts"
import { lockConversation } from "../changeConversation.ts"

/** Refuses a template that has changed since the message was written, so that it does not fail once more. */
const checkUse = Effect.fnUntraced(function* ({ template: use }: Message) {
  if (use === null) return
  const [template] = yield* (yield* MessageTemplates).find([use.id])
  if (template === undefined) return yield* new NotFound({ resource: "message template" })
  yield* checkTemplate(template, use.values)
})

const takeMessage = Effect.fnUntraced(function* ({ chatAccountId, id: conversationId }: Conversation, id: MessageId) {
  const [message] = yield* (yield* Messages).lock(chatAccountId, [id])
  return message?.conversationId === conversationId ? message : yield* new NotFound({ resource: "message" })
})

/** Sends a message once more that has failed, or that is in doubt where a double is accepted. */
export const retryMessage = useCase(
  "messages.retry",
  { access: { permission: "conversations.manage" } },
  Effect.fnUntraced(function* (conversationId: ConversationId, id: MessageId, said: MessageRetry) {
    const { acceptDouble = false, recipient: chosen } = said
    const conversation = yield* lockConversation(conversationId)
    const before = yield* takeMessage(conversation, id)
    const { status: from } = before
    if (from !== "failed" && !(from === "in_doubt" && acceptDouble)) {
      return yield* new MessageNotRetryable({ status: from })
    }
    const recipient = yield* reach(conversation, before.kind, { chosen, former: before.recipient })
    yield* checkUse(before)
    const { chatAccountId } = conversation
    const now = yield* DateTime.now
    // It keeps what the provider knows the earlier sending by: a late receipt of that one says nothing about this one.
    const message = new Message({
      ...before,
      recipient,
      status: "queued",
      error: null,
      sentAt: null,
      deliveredAt: null,
      readAt: null,
      failedAt: null
    })
    yield* (yield* Messages).saveAll(chatAccountId, [message])
    yield* (yield* Sends).enqueue({ messageId: id, conversationId, chatAccountId, priority: yield* urgency, now })
    yield* appendEvent({
      type: "message.status_changed",
      conversationId,
      messageId: id,
      from,
      to: message.status
    })
    yield* record(
      "message.retried",
      { kind: "message", id },
      { before: { status: from }, after: { conversationId, status: message.status, acceptDouble } }
    )
    return message
  }, transact)
)
