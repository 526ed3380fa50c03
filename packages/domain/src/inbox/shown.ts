import type { DateTime } from "effect"
import { ConversationView } from "./Conversation.ts"
import type { Conversing } from "./Conversations.ts"
import { isWindowOpen, recipientNow, windowOf } from "./recipients.ts"

/** A conversation as it is shown at this time. */
export const viewOf = ({ contact, conversation, ways }: Conversing, now: DateTime.Utc): ConversationView => {
  const {
    contactId: _,
    inboundCount,
    otherWindows: __,
    readCount,
    recipientAt: ___,
    resolvedAt: ____,
    windowExpiresAt: _____,
    ...shown
  } = conversation
  const recipient = recipientNow(conversation, ways, now)
  const expiresAt = recipient === null ? null : windowOf(conversation, recipient)
  return new ConversationView({
    ...shown,
    contact,
    recipient,
    unreadCount: Math.max(0, inboundCount - readCount),
    window: { open: isWindowOpen(expiresAt, now), expiresAt }
  })
}
