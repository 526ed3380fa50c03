import { DateTime } from "effect"
import { ConversationView } from "./Conversation.ts"
import type { Conversing } from "./Conversations.ts"

/** Whether free-form messages may go out at this time. */
export const isWindowOpen = (expiresAt: DateTime.Utc | null, now: DateTime.Utc): boolean =>
  expiresAt !== null && DateTime.isGreaterThan(expiresAt, now)

/** A conversation as it is shown at this time. */
export const viewOf = ({ contact, conversation }: Conversing, now: DateTime.Utc): ConversationView => {
  const { contactId: _, inboundCount, readCount, resolvedAt: __, windowExpiresAt: expiresAt, ...shown } = conversation
  return new ConversationView({
    ...shown,
    contact,
    unreadCount: Math.max(0, inboundCount - readCount),
    window: { open: isWindowOpen(expiresAt, now), expiresAt }
  })
}
