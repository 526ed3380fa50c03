import { DateTime, Schema } from "effect"
import { Timestamp, UserId } from "../../kernel/index.ts"
import type { LiveEvent } from "../../platform/events/index.ts"
import { ConversationId } from "./Message.ts"

/** What a member does in a conversation. `left` ends the presence before it expires. */
export const PresenceState = Schema.Literals(["viewing", "typing", "left"])
export type PresenceState = typeof PresenceState.Type

/** Time until a presence expires. Clients repeat it before. */
export const presenceLifetime = { seconds: 15 }

/** Presence of a member in a conversation. It is not stored. */
export const Presence = Schema.Struct({
  conversationId: ConversationId,
  userId: UserId,
  state: PresenceState,
  expiresAt: Timestamp
}).annotate({ identifier: "Presence" })
export type Presence = typeof Presence.Type

export const presenceEventType = "conversation.presence"

export const toLiveEvent = ({ expiresAt, ...presence }: Presence): LiveEvent => ({
  type: presenceEventType,
  permission: "conversations.read",
  data: { ...presence, expiresAt: DateTime.formatIso(expiresAt) }
})
