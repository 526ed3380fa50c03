import { DateTime, Effect } from "effect"
import type { ContactId } from "../../crm/index.ts"
import {
  type ChatAccountId,
  type MessageTemplate,
  MessageTemplates,
  toTemplatePreview
} from "../../messaging/chat/index.ts"
import { type ConversationId, Conversations, Message, MessageId, Messages } from "../../messaging/inbox/index.ts"
import { type Broadcast, broadcastMessages } from "../Broadcast.ts"
import { Broadcasts } from "../Broadcasts.ts"
import type { BroadcastId } from "../Ids.ts"
import { isAccepted } from "../RecipientStatus.ts"
import { type AcceptedRecipient, RecipientReplies } from "./RecipientReceipts.ts"

/** Messages sent to recipients. */
export interface AcceptedMessages {
  readonly broadcasts: ReadonlyMap<BroadcastId, Broadcast>
  /** `undefined` if the template no longer exists. */
  readonly templateOf: (recipient: Pick<AcceptedRecipient, "broadcastId" | "variant">) => MessageTemplate | undefined
}

/** Reads the messages sent to these recipients. */
export const readAcceptedMessages = Effect.fnUntraced(function* (
  recipients: ReadonlyArray<Pick<AcceptedRecipient, "broadcastId">>
) {
  const port = yield* Broadcasts
  const ids = Array.from(new Set(recipients.map(({ broadcastId }) => broadcastId)))
  const found = yield* Effect.orDie(Effect.forEach(ids, (id) => port.get(id)))
  const broadcasts = new Map(found.map((broadcast) => [broadcast.id, broadcast]))
  const templateIds = found.flatMap((each) => broadcastMessages(each).flatMap(({ templateId }) => templateId ?? []))
  const templates = new Map<string, MessageTemplate>(
    (yield* (yield* MessageTemplates).find([...new Set(templateIds)])).map((template) => [template.id, template])
  )
  return {
    broadcasts,
    templateOf: ({ broadcastId, variant }) => {
      const broadcast = broadcasts.get(broadcastId)
      if (broadcast === undefined) return undefined
      const templateId = broadcastMessages(broadcast).find((each) => each.variant === variant)?.templateId ?? null
      return templateId === null ? undefined : templates.get(templateId)
    }
  } satisfies AcceptedMessages
})

/** Returns the message of a recipient for its conversation. It precedes its replies. */
export const toConversationMessage = (
  recipient: AcceptedRecipient,
  template: MessageTemplate,
  conversationId: ConversationId,
  answeredAt: DateTime.Utc,
  now: DateTime.Utc
): Message => {
  const { address, broadcastId, deliveredAt, failedAt, id, providerMessageId, readAt, sentAt, status } = recipient
  const values = recipient.values ?? {}
  const isTold = status === "sent" || status === "delivered" || status === "read" || status === "failed"
  return new Message({
    id: MessageId.make(id),
    conversationId,
    direction: "outbound",
    kind: "template",
    text: toTemplatePreview(template, values).body,
    media: null,
    template: { id: template.id, name: template.name, language: template.language, values },
    interactive: null,
    location: null,
    contacts: null,
    replyToId: null,
    author: { kind: "broadcast", id: broadcastId },
    recipient: address,
    status: isTold ? status : "in_doubt",
    error: recipient.error,
    providerMessageId,
    at: DateTime.min(sentAt, answeredAt),
    sentAt: isTold ? sentAt : null,
    deliveredAt,
    readAt,
    failedAt,
    createdAt: now
  })
}

/** Unresolved conversations by contact. */
export type OpenConversations = ReadonlyMap<ContactId, ConversationId>

/** Locks the unresolved conversations of these contacts over an account. */
export const lockOpenConversations = Effect.fnUntraced(function* (
  chatAccountId: ChatAccountId,
  contactIds: ReadonlyArray<ContactId>
) {
  const none: OpenConversations = new Map()
  if (contactIds.length === 0) return none
  const conversations = yield* Conversations
  const talking = yield* conversations.talking(chatAccountId, contactIds)
  if (talking.size === 0) return none
  const pairs = Array.from(talking, (contactId) => ({ contactId, chatAccountId }))
  const locked = yield* conversations.lockLatest(pairs)
  return new Map(
    locked.filter(({ status }) => status !== "resolved").map(({ contactId, id }) => [contactId, id])
  ) satisfies OpenConversations
})

/** Adds accepted broadcast messages to these conversations, without events. */
export const addToConversations = Effect.fnUntraced(function* (
  chatAccountId: ChatAccountId,
  id: BroadcastId,
  conversations: OpenConversations
) {
  if (conversations.size === 0) return
  const replies = yield* RecipientReplies
  const now = yield* DateTime.now
  const joining = (yield* replies.lock(chatAccountId, [...conversations.keys()])).flatMap((recipient) => {
    const conversationId = conversations.get(recipient.contactId)
    const isNew = recipient.broadcastId === id && recipient.conversationId === null && isAccepted(recipient.status)
    return isNew && conversationId !== undefined ? [{ ...recipient, conversationId }] : []
  })
  const { templateOf } = yield* readAcceptedMessages(joining)
  const joined = joining.flatMap((recipient) => {
    const template = templateOf(recipient)
    return template === undefined
      ? []
      : [toConversationMessage(recipient, template, recipient.conversationId, recipient.sentAt, now)]
  })
  yield* (yield* Messages).insert(chatAccountId, joined)
  yield* replies.save(joining)
})
