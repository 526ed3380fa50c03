import { Equal } from "effect"
import type { ChatAccountId } from "../../chat/index.ts"
import { Message } from "../Message.ts"
import type { EarlyReceipt } from "../Messages.ts"
import { withReceipt } from "../receipts.ts"
import { pastOf } from "./pastOf.ts"
import type { ReceiptEvent } from "./PersonalEvent.ts"
import type { Receiving } from "./Receiving.ts"

const optOut = (receiving: Receiving, event: ReceiptEvent) => {
  const { error, to } = event
  const contact = receiving.meeting.find(to)
  if (contact === null) return
  const evidence = error === null ? null : error.reason
  receiving.meeting.tell(contact.id, { state: "unsubscribed", source: "chat_refusal", evidence, at: pastOf(event) })
}

const move = (receiving: Receiving, chatAccountId: ChatAccountId, before: Message, receipt: EarlyReceipt) => {
  if (before.direction === "inbound") return
  const { providerMessageId } = receipt
  const isSame = before.providerMessageId === providerMessageId
  const waitsAgain = before.status === "queued" && before.providerMessageId !== null
  // It waits to be sent once more: of the earlier sending it only counts that it has arrived after all.
  if (waitsAgain && isSame && (receipt.status === "sent" || receipt.status === "failed")) return
  const isNaming = before.providerMessageId === null || (waitsAgain && !isSame)
  // It was sent more than once: that an earlier sending has failed says nothing about the last.
  if (!isNaming && !isSame && receipt.status === "failed") return
  const named = isNaming ? new Message({ ...before, providerMessageId }) : before
  const after = [receipt, ...receiving.removeEarly(chatAccountId, providerMessageId)].reduce(withReceipt, named)
  if (Equal.equals({ ...before }, { ...after })) return
  receiving.keep(chatAccountId, after)
  const { conversationId, id: messageId, status: to } = after
  const { status: from } = before
  if (from !== to) receiving.tell({ type: "message.status_changed", conversationId, messageId, from, to })
}

/** A receipt moves its message on, or waits for it where nobody knows it yet. */
export const receiveReceipt = (receiving: Receiving, chatAccountId: ChatAccountId, event: ReceiptEvent): void => {
  const { id: providerMessageId, error, pricing, status } = event
  if (error?.remedy === "opt_out") optOut(receiving, event)
  const receipt: EarlyReceipt = {
    providerMessageId,
    status,
    at: pastOf(event),
    error,
    ...(pricing !== undefined && { pricing })
  }
  const found = receiving.receipted(chatAccountId, event)
  if (found === null) receiving.await({ chatAccountId, of: receipt })
  else move(receiving, chatAccountId, found, receipt)
}
