import type { ChatAccountId } from "../../chat/index.ts"
import { isQuiet, opensWindow, withInbound } from "./inbound.ts"
import { optsOut } from "./optOutWords.ts"
import type { MessageEvent } from "./PersonalEvent.ts"
import type { Receiving } from "./Receiving.ts"
import { referralOf } from "./referralOf.ts"
import { putMessage } from "./putMessage.ts"

/** What a contact has written opens the conversation, and says that they may be answered. */
export const receiveMessage = (receiving: Receiving, chatAccountId: ChatAccountId, event: MessageEvent): void => {
  if (receiving.known(chatAccountId, event.id) !== null) return
  const contact = receiving.meeting.meet(event.from, event.from.name)
  if (contact === null) {
    receiving.ignore()
    return
  }
  const { content, fromAdvertisement } = event
  const isBlocked = receiving.meeting.isBlocked(contact.id)
  const byContact = opensWindow(content)
  const quiet = isBlocked || isQuiet(content)
  const { conversation, message } = putMessage(receiving, chatAccountId, contact.id, event, quiet, {
    direction: "inbound",
    author: { kind: "contact", id: contact.id },
    recipient: null,
    status: "received",
    sentAt: null,
    referral: referralOf(event.referral)
  })
  const moved = content.kind === "system" ? content.newPhone : null
  if (moved !== null) receiving.meeting.renumber(contact.id, moved)
  const ways = receiving.meeting.waysOf(contact.id, moved === null ? event.from : { phone: moved, chatUser: null })
  const [from = null] = byContact || moved !== null ? ways : []
  const inbound = { message, from, ways, fromAdvertisement, byContact, quiet }
  receiving.change(conversation, withInbound(conversation, inbound, receiving.now))
  const { at, conversationId, id: messageId, kind } = message
  if (!isBlocked) receiving.tell({ type: "message.received", conversationId, messageId, contactId: contact.id, kind })
  if (content.kind !== "system") receiving.meeting.seen(contact.id, at)
  if ((kind === "text" || kind === "interactive" || kind === "edit") && optsOut(message.text)) {
    receiving.meeting.tell(contact.id, { state: "unsubscribed", source: "chat_keyword", evidence: message.text, at })
  }
}
