import type { ChatAccountId } from "../../chat/index.ts"
import { isQuiet, opensWindow, withInbound } from "./inbound.ts"
import type { MessageEvent } from "./PersonalEvent.ts"
import type { InboundBatch } from "./InboundBatch.ts"
import { referralOf } from "./referralOf.ts"
import { awaitsMove } from "../waiting/moves.ts"
import { meaningOf } from "./words/wordOf.ts"
import { putMessage } from "./putMessage.ts"

/** Adds what a contact wrote, opens the conversation and the service window. */
export const receiveMessage = (batch: InboundBatch, chatAccountId: ChatAccountId, event: MessageEvent): void => {
  if (batch.known(chatAccountId, event.id) !== null) return
  const contact = batch.contacts.resolve(event.from, event.from.name)
  if (contact === null) {
    batch.ignore()
    return
  }
  const { content, fromAdvertisement } = event
  const isBlocked = batch.contacts.isBlocked(contact.id)
  const byContact = opensWindow(content)
  const quiet = isBlocked || isQuiet(content)
  const { conversation, message } = putMessage(batch, chatAccountId, contact.id, event, quiet, {
    direction: "inbound",
    author: { kind: "contact", id: contact.id },
    recipient: null,
    status: "received",
    sentAt: null,
    referral: referralOf(event.referral)
  })
  const moved = content.kind === "system" ? content.newPhone : null
  if (moved !== null) batch.contacts.renumber(contact.id, moved)
  const ways = batch.contacts.recipientsOf(contact.id, moved === null ? event.from : { phone: moved, chatUser: null })
  const [from = null] = byContact || moved !== null ? ways : []
  const meaning = meaningOf(message, batch.words)
  const awaitsReply = !quiet && message.kind !== "reaction" && meaning !== "opt_out"
  const inbound = { message, from, ways, fromAdvertisement, byContact, quiet, awaitsReply }
  const after = withInbound(conversation, inbound, batch.now)
  batch.change(conversation, after)
  const { at, conversationId, id: messageId, kind } = message
  if (!isBlocked) {
    const moved = { chatAccountId, ...awaitsMove(chatAccountId, conversation, after) }
    batch.emit({ type: "message.received", conversationId, messageId, contactId: contact.id, kind, ...moved })
  }
  if (content.kind !== "system") batch.contacts.recordInbound(contact.id, at)
  const said = { source: "chat_keyword", evidence: message.text, at } as const
  if (meaning === "opt_out") batch.contacts.recordConsent(contact.id, { state: "unsubscribed", ...said })
  if (meaning === "opt_in" && batch.contacts.isOutByWord(contact.id)) {
    batch.contacts.recordConsent(contact.id, { state: "subscribed", ...said })
  }
}
