import type { AssignedConversations } from "./AssignedConversations.ts"
import type { CannedReplies } from "./CannedReplies.ts"
import type { ContactConversations } from "./ContactConversations.ts"
import type { Conversations, SnoozeClock } from "./Conversations.ts"
import type { MediaLibrary, MediaSweep } from "./MediaLibrary.ts"
import type { Messages } from "./Messages.ts"
import type { Notes } from "./Notes.ts"
import type { SendQueue, Sends } from "./SendQueue.ts"

/** What a storage adapter provides of this area. */
export type InboxStorage =
  | AssignedConversations
  | CannedReplies
  | ContactConversations
  | Conversations
  | MediaLibrary
  | MediaSweep
  | Messages
  | Notes
  | SendQueue
  | Sends
  | SnoozeClock
