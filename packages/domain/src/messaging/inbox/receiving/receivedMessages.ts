import type { DateTime } from "effect"
import type { ContactId } from "../../../crm/index.ts"
import type { Arrival, ChatAccountId } from "../../chat/index.ts"
import type { Conversation } from "../Conversation.ts"
import type { ContactAccountPair } from "../Conversations.ts"
import { ConversationId, Message, MessageId } from "../Message.ts"
import { withReceipt } from "../deliveryReceipts.ts"
import { toFollowingFileId } from "../followingFiles.ts"
import { withMovedWindow } from "../recipients.ts"
import { waitTransition } from "../waiting/waitTransitions.ts"
import { senderRecipient } from "./senders.ts"
import { applyNewIds } from "./LoadedState.ts"
import type { InboundBatch } from "./InboundBatch.ts"
import {
  answeredMessageId,
  type EchoEvent,
  eventSender,
  eventSenderDetails,
  type HistoryEvent,
  type MessageEvent,
  newIdsOf,
  occurredAt
} from "./ContactEvent.ts"
import {
  startConversation,
  findCurrentConversation,
  isQuiet,
  isWindowOpening,
  withEcho,
  withInbound
} from "./inboundActivity.ts"
import { keywordMeaning } from "./optOutKeywords.ts"
import { toStoredRaw, toReferral } from "./plainText.ts"
import { toMessageDetails, toReceivedContent } from "./receivedContent.ts"

const maxPosition = 0xffff

/** The hash separates ids when a later version applies the delivery again and reads a message at another position. */
const shortHash = (text: string): number => {
  let hash = 0x811c_9dc5
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x0100_0193)
  return (hash ^ (hash >>> 16)) & 0xffff
}

const hex = (number: number) => number.toString(16).padStart(4, "0")

/**
 * Computes the id of an incoming message. Messages of one second are listed by id. Therefore ids sort by arrival of the delivery and then by position
 * in it, whenever it is applied. The last 32 bits of a delivery's UUIDv7 are random. The bits before them identify deliveries and their order.
 */
export const arrivalId = ({ deliveryId, position }: Arrival, providerMessageId: string): MessageId =>
  MessageId.make(deliveryId.slice(0, -8) + hex(Math.min(position, maxPosition)) + hex(shortHash(providerMessageId)))

/** Finds the message with this id at the provider. A file that followed its placeholder precedes the placeholder. */
const findReferred = (batch: InboundBatch, chatAccountId: ChatAccountId, to: string | null): Message | null =>
  to === null ? null : (batch.known(chatAccountId, toFollowingFileId(to)) ?? batch.known(chatAccountId, to))

const findOrStartConversation = (
  batch: InboundBatch,
  pair: ContactAccountPair,
  quiet: boolean,
  at: DateTime.Utc,
  silent: boolean
): Conversation => {
  const found = findCurrentConversation(batch.latest(pair), batch.now)
  if (found !== null) return found
  const conversation = startConversation(ConversationId.make(batch.nextId()), pair, quiet, at, batch.now)
  if (!silent && conversation.status === "open")
    batch.emit({ type: "conversation.opened", conversationId: conversation.id, ...pair, status: conversation.status })
  return conversation
}

/** Adds the message to the conversation of the contact over the account. */
export const putMessage = (
  batch: InboundBatch,
  chatAccountId: ChatAccountId,
  contactId: ContactId,
  event: MessageEvent | EchoEvent | HistoryEvent,
  quiet: boolean,
  side: Pick<Message, "direction" | "author" | "recipient" | "status" | "sentAt" | "referral"> & Partial<Message>
) => {
  const { content } = event
  const at = occurredAt(event)
  const conversation = findOrStartConversation(batch, { contactId, chatAccountId }, quiet, at, event.kind === "history")
  const { file, parts } = toReceivedContent(content, chatAccountId, batch.nextId, batch.now)
  const answeredId = answeredMessageId(event)
  const referred = findReferred(batch, chatAccountId, answeredId)
  const answered = referred?.providerMessageId ?? answeredId
  const message = new Message({
    ...parts,
    id: arrivalId(event.arrival, event.id),
    conversationId: conversation.id,
    template: null,
    details: toMessageDetails(event),
    raw: toStoredRaw(event, parts.kind),
    replyToId: referred?.conversationId === conversation.id ? referred.id : null,
    error: null,
    providerMessageId: event.id,
    at,
    deliveredAt: null,
    readAt: null,
    failedAt: null,
    createdAt: batch.now,
    ...side
  })
  batch.keep(chatAccountId, message)
  // A change is resolved by the provider id of the changed message, even if that message is known.
  const isChange = content.kind === "edit" || content.kind === "revocation"
  if (answered !== null && (message.replyToId === null || isChange)) batch.answers(message.id, answered)
  if (file !== null) batch.file(file)
  return { conversation, message }
}

/** Adds a contact's message, and opens the conversation and the service window. */
export const receiveMessage = (batch: InboundBatch, chatAccountId: ChatAccountId, event: MessageEvent): void => {
  if (batch.known(chatAccountId, event.id) !== null) return
  const person = eventSender(event)
  const contact = person === null ? null : batch.contacts.resolve(person, eventSenderDetails(event))
  if (contact === null) {
    batch.ignore()
    return
  }
  const { content } = event
  const isBlocked = batch.contacts.isBlocked(contact.id)
  const byContact = isWindowOpening(content)
  const isHeld = event.isHeld === true
  const quiet = isBlocked || isHeld || isQuiet(content)
  const isGroup = content.kind === "group"
  const isActivity = byContact || content.kind === "edit" || content.kind === "revocation"
  const { conversation, message } = putMessage(batch, chatAccountId, contact.id, event, quiet, {
    direction: "inbound",
    author: { kind: "contact", id: contact.id },
    recipient: null,
    status: "received",
    sentAt: null,
    referral: toReferral(event.referral)
  })
  const moved = newIdsOf(event)
  if (moved !== null) applyNewIds(batch.contacts, contact.id, moved, { from: event.from, at: occurredAt(event) })
  const written = batch.contacts.recipientsOf(contact.id, moved ?? event.from)
  const ways = [...written, ...batch.contacts.successorOf(contact.id, written)]
  const [from = null] = byContact || moved !== null ? ways : []
  const meaning = keywordMeaning(message, batch.words)
  const awaitsReply = !quiet && message.kind !== "reaction" && meaning !== "opt_out"
  const inbound = { message, from, ways, byContact, quiet, awaitsReply }
  const former = moved === null ? [] : batch.contacts.recipientsOf(contact.id, event.from)
  const after = withInbound(withMovedWindow(conversation, former, ways), inbound, batch.now)
  batch.change(conversation, after)
  const { at, conversationId, id: messageId, kind } = message
  if (!isBlocked && !isGroup && !isHeld) {
    const moved = { chatAccountId, ...waitTransition(chatAccountId, conversation, after) }
    batch.emit({ type: "message.received", conversationId, messageId, contactId: contact.id, kind, ...moved })
  }
  if (isActivity) batch.contacts.recordInbound(contact.id, at)
  const consent = { source: "chat_keyword", evidence: message.text, at } as const
  if (meaning === "opt_out") batch.contacts.recordConsent(contact.id, { state: "unsubscribed", ...consent })
  if (meaning === "opt_in" && batch.contacts.isOutByWord(contact.id)) {
    batch.contacts.recordConsent(contact.id, { state: "subscribed", ...consent })
  }
}

/** Adds a message that the business wrote outside of Parley. The status of the conversation stays. */
export const receiveEcho = (batch: InboundBatch, chatAccountId: ChatAccountId, event: EchoEvent): void => {
  if (batch.known(chatAccountId, event.id) !== null) return
  const contact = batch.contacts.resolve(event.to, eventSenderDetails(event))
  if (contact === null) {
    batch.ignore()
    return
  }
  const { conversation, message } = putMessage(batch, chatAccountId, contact.id, event, true, {
    direction: "outbound",
    author: { kind: "phone_app", id: chatAccountId },
    recipient: senderRecipient(event.to),
    status: "sent",
    sentAt: occurredAt(event),
    referral: null
  })
  batch.change(conversation, withEcho(conversation, message, batch.now))
  batch.moveWaits(null, message)
  const { conversationId, id: messageId, kind, status: from } = message
  batch.emit({ type: "message.echoed", conversationId, messageId, contactId: contact.id, chatAccountId, kind })
  const after = batch.removeEarly(chatAccountId, event.id).reduce(withReceipt, message)
  batch.keep(chatAccountId, after)
  batch.moveWaits(message, after)
  const { status: to } = after
  if (from !== to) batch.emit({ type: "message.status_changed", conversationId, messageId, from, to })
}
