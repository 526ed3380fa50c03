import type { ChatAccountId } from "../../chat/index.ts"
import { withReceipt } from "../receipts.ts"
import { withEcho } from "./inbound.ts"
import { wayTo } from "./Meeting.ts"
import { pastOf } from "./pastOf.ts"
import type { EchoEvent } from "./PersonalEvent.ts"
import type { Receiving } from "./Receiving.ts"
import { putMessage } from "./putMessage.ts"

/** What the business wrote elsewhere belongs to the conversation, and leaves it to the team in what state that is. */
export const receiveEcho = (receiving: Receiving, chatAccountId: ChatAccountId, event: EchoEvent): void => {
  if (receiving.known(chatAccountId, event.id) !== null) return
  const contact = receiving.meeting.meet(event.to, null)
  if (contact === null) {
    receiving.ignore()
    return
  }
  const { conversation, message } = putMessage(receiving, chatAccountId, contact.id, event, true, {
    direction: "outbound",
    author: { kind: "phone_app", id: chatAccountId },
    recipient: wayTo(event.to),
    status: "sent",
    sentAt: pastOf(event),
    referral: null
  })
  receiving.change(conversation, withEcho(conversation, message, receiving.now))
  const { conversationId, id: messageId, kind, status: from } = message
  receiving.tell({ type: "message.echoed", conversationId, messageId, contactId: contact.id, kind })
  const after = receiving.removeEarly(chatAccountId, event.id).reduce(withReceipt, message)
  receiving.keep(chatAccountId, after)
  const { status: to } = after
  if (from !== to) receiving.tell({ type: "message.status_changed", conversationId, messageId, from, to })
}
