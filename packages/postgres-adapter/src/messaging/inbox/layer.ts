import { Layer } from "effect"
import * as AssignedConversations from "./AssignedConversations.ts"
import * as AssignmentQueue from "./AssignmentQueue.ts"
import * as CannedReplies from "./CannedReplies.ts"
import * as ContactConversations from "./ContactConversations.ts"
import * as Conversations from "./Conversations.ts"
import * as MediaLibrary from "./MediaLibrary.ts"
import * as MediaSweep from "./MediaSweep.ts"
import * as MessageCharges from "./MessageCharges.ts"
import * as Messages from "./Messages.ts"
import * as Notes from "./Notes.ts"
import * as OneTimeCodes from "./OneTimeCodes.ts"
import * as SendQueue from "./SendQueue.ts"
import * as QueuedSends from "./QueuedSends.ts"
import * as SnoozeTimers from "./SnoozeTimers.ts"
import * as Waits from "./Waits.ts"
import * as Workloads from "./Workloads.ts"

export const layer = Layer.mergeAll(
  AssignedConversations.layer,
  AssignmentQueue.layer,
  CannedReplies.layer,
  ContactConversations.layer,
  Conversations.layer,
  MediaLibrary.layer,
  MediaSweep.layer,
  MessageCharges.layer,
  Messages.layer,
  Notes.layer,
  OneTimeCodes.layer,
  SendQueue.layer,
  QueuedSends.layer,
  SnoozeTimers.layer,
  Waits.layer,
  Workloads.layer
)
