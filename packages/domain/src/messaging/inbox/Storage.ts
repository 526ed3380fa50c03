import { AssignmentQueue } from "./assigning/AssignmentQueue.ts"
import { Workloads } from "./assigning/Workloads.ts"
import { AssignedConversations } from "./AssignedConversations.ts"
import { CannedReplies } from "./CannedReplies.ts"
import { ContactConversations } from "./ContactConversations.ts"
import { Conversations } from "./Conversations.ts"
import { MediaLibrary, MediaSweep } from "./MediaLibrary.ts"
import { Messages } from "./Messages.ts"
import { Notes } from "./Notes.ts"
import { SendQueue, Sends } from "./SendQueue.ts"
import { SnoozeClock } from "./SnoozeClock.ts"
import { Waits } from "./waiting/Waits.ts"

/** The ports that a storage adapter provides of this area. */
export const inboxStorage = [
  AssignedConversations,
  AssignmentQueue,
  CannedReplies,
  ContactConversations,
  Conversations,
  MediaLibrary,
  MediaSweep,
  Messages,
  Notes,
  SendQueue,
  Sends,
  SnoozeClock,
  Waits,
  Workloads
] as const
