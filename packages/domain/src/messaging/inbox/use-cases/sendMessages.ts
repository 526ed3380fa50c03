import { DateTime, Effect } from "effect"
import { NotFound, requirePermissions, transact, useCase } from "../../../kernel/index.ts"
import { recordAudit } from "../../../platform/audit/index.ts"
import {
  exampleValues,
  type MessageTemplateId,
  MessageTemplates,
  toTemplatePreview,
  type TemplateInputs
} from "../../chat/index.ts"
import type { Conversation } from "../Conversation.ts"
import {
  type ConversationId,
  Message,
  type MessageId,
  type MessageKind,
  type MessageRetry,
  type NewMessage
} from "../Message.ts"
import { Messages } from "../Messages.ts"
import { QueuedSends } from "../SendQueue.ts"
import { lockConversation } from "../conversationChanges.ts"
import { MessageNotRetryable } from "../errors.ts"
import { appendEvent } from "../events.ts"
import { isPlainMessage } from "../writing/messageComposition.ts"
import { MessageGroups } from "../writing/messageGroups.ts"
import { currentAuthor, currentSendPriority, recordSentMessage, writeMessage } from "../writing/messageWriting.ts"
import { resolveRecipient } from "../writing/recipientResolution.ts"
import { maskCode, withOneTimeCode } from "../writing/oneTimeCodes.ts"
import { checkTemplate, checkTemplateValues } from "../writing/templateMessages.ts"

/** Messages in the form of the provider bypass the rules of the schema, so they need their own permission. */
const requireKindPermission = (kind: MessageKind) =>
  kind === "provider" ? requirePermissions(["messages.send_provider"]) : Effect.void

const sendInOwnUnit = Effect.fnUntraced(function* (conversationId: ConversationId, input: NewMessage) {
  const message = yield* writeMessage(conversationId, input, {
    author: yield* currentAuthor,
    priority: yield* currentSendPriority
  })
  yield* recordSentMessage(message, input)
  return message
}, transact)

/**
 * Writes a message to the contact. It is sent right after the commit, and its status shows the outcome. Plain messages that the organization writes at
 * the same time share a unit of work.
 */
export const sendMessage = useCase(
  {
    name: "messages.send",
    access: { permission: "conversations.manage" },
    audit: "message.sent",
    emits: ["message.queued"]
  },
  Effect.fnUntraced(function* ({ id, ...input }: { readonly id: ConversationId } & NewMessage) {
    yield* requireKindPermission(input.kind)
    const alone = sendInOwnUnit(id, input)
    return yield* isPlainMessage(input) ? (yield* MessageGroups).write(id, input, alone) : alone
  })
)

/** Fails if the template has changed since the message was written, because the message would fail again. */
const checkTemplateUse = Effect.fnUntraced(function* (message: Message) {
  const { template: use } = message
  if (use === null) return
  const [template] = yield* (yield* MessageTemplates).find([use.id])
  if (template === undefined) return yield* new NotFound({ resource: "message template" })
  yield* checkTemplate(template, yield* withOneTimeCode(message))
})

const lockMessage = Effect.fnUntraced(function* ({ chatAccountId, id: conversationId }: Conversation, id: MessageId) {
  const [message] = yield* (yield* Messages).lock(chatAccountId, [id])
  return message?.conversationId === conversationId ? message : yield* new NotFound({ resource: "message" })
})

/** Retries a failed message, or a message in doubt if the caller accepts a duplicate. */
export const retryMessage = useCase(
  {
    name: "messages.retry",
    access: { permission: "conversations.manage" },
    audit: "message.retried",
    emits: ["message.status_changed"]
  },
  Effect.fnUntraced(function* ({
    id: conversationId,
    messageId,
    ...input
  }: { readonly id: ConversationId; readonly messageId: MessageId } & MessageRetry) {
    const { allowDuplicate = false, recipient: chosen } = input
    const conversation = yield* lockConversation(conversationId)
    const before = yield* lockMessage(conversation, messageId)
    yield* requireKindPermission(before.kind)
    const { status: from } = before
    if (from !== "failed" && !(from === "in_doubt" && allowDuplicate)) {
      return yield* new MessageNotRetryable({ status: from })
    }
    const recipient = yield* resolveRecipient(conversation, before.kind, { chosen, former: before.recipient })
    yield* checkTemplateUse(before)
    const { chatAccountId } = conversation
    const now = yield* DateTime.now
    // The message keeps the provider id of the earlier attempt. Late receipts of that attempt do not apply to this one.
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
    yield* (yield* QueuedSends).enqueue({
      chatAccountId,
      messages: [message],
      priority: yield* currentSendPriority,
      now
    })
    yield* appendEvent({
      type: "message.status_changed",
      conversationId,
      messageId,
      from,
      to: message.status
    })
    yield* recordAudit(
      "message.retried",
      { kind: "message", id: messageId },
      { before: { status: from }, after: { conversationId, status: message.status, allowDuplicate } }
    )
    return message
  }, transact)
)

/**
 * Renders a template with these values for the customer, and refuses values that a send would refuse. Unapproved templates are allowed, because most
 * previews happen before the submission. Without values, the examples of the template fill its variables.
 */
export const previewMessageTemplate = useCase(
  { name: "messageTemplates.preview", access: { permission: "message_templates.read" } },
  Effect.fnUntraced(function* ({
    id,
    values = null
  }: {
    readonly id: MessageTemplateId
    readonly values?: TemplateInputs | null
  }) {
    const template = yield* (yield* MessageTemplates).get(id)
    if (values === null) return toTemplatePreview(template, exampleValues(template.components))
    yield* checkTemplateValues(template, values, "/values")
    return toTemplatePreview(template, maskCode(template, values))
  })
)
