import { chatDeliveries } from "./receiving/chatDeliveries.ts"
import { defineArea, seenWith } from "../../kernel/index.ts"
import { InboxEvent } from "./Events.ts"
import { conversationAssignment } from "./assignment.ts"
import { conversationHolding } from "./conversationHolding.ts"
import { conversationStatusField } from "./conversationStatusField.ts"
import { inboxReactions } from "./Reactions.ts"
import { inboxStorage } from "./Storage.ts"
import { inboxWorks } from "./work.ts"
import { inboxResources } from "./eventResources.ts"

/** What this area says of itself. */
export const inboxArea = defineArea({
  name: "messaging/inbox",
  storage: inboxStorage,
  events: seenWith(InboxEvent, {
    "conversation.opened": "conversations.read",
    "conversation.status_changed": "conversations.read",
    "conversation.assigned": "conversations.read",
    "conversation.updated": "conversations.read",
    "conversation.read": "conversations.read",
    "conversation.unread": "conversations.read",
    "message.received": "conversations.read",
    "message.echoed": "conversations.read",
    "message.queued": "conversations.read",
    "message.status_changed": "conversations.read",
    "message.updated": "conversations.read",
    "note.created": "conversations.read",
    "note.updated": "conversations.read",
    "note.deleted": "conversations.read",
    "canned_reply.created": "conversations.read",
    "canned_reply.updated": "conversations.read",
    "canned_reply.deleted": "conversations.read"
  }),
  permissions: ["conversations.read", "conversations.manage"],
  works: inboxWorks,
  reactions: inboxReactions,
  assignments: [conversationAssignment],
  contactFilterFields: [conversationStatusField],
  contactHoldings: [conversationHolding],
  deliverySources: [chatDeliveries],
  eventResources: inboxResources
})
