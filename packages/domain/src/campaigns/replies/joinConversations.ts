import { DateTime, Effect } from "effect"
import type { ChatAccountId } from "../../messaging/chat/index.ts"
import type { ContactId } from "../../crm/index.ts"
import { type ConversationId, Conversations, Messages } from "../../messaging/inbox/index.ts"
import type { BroadcastId } from "../Ids.ts"
import { RecipientReplies } from "../RecipientReplies.ts"
import { isAccepted } from "../RecipientStatus.ts"
import { readAcceptedMessages } from "./acceptedMessages.ts"
import { messageOf } from "./messageOf.ts"

/** Conversations that are not resolved, by whom they are with. */
export type OpenConversations = ReadonlyMap<ContactId, ConversationId>

/** Locks the conversations over an account with those of these contacts with whom one is not resolved. */
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

/** Puts what the provider has accepted of a broadcast into these conversations, and tells nobody of it. */
export const joinConversations = Effect.fnUntraced(function* (
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
  const told = joining.flatMap((recipient) => {
    const template = templateOf(recipient)
    return template === undefined
      ? []
      : [messageOf(recipient, template, recipient.conversationId, recipient.sentAt, now)]
  })
  yield* (yield* Messages).insert(chatAccountId, told)
  yield* replies.save(joining)
})
