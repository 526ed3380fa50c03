import { Schema } from "effect"
import { RecipientEntry } from "./campaigns/RecipientEntry.ts"
import { HistoryEntry } from "./crm/Timeline.ts"
import { ConversationEntry } from "./messaging/inbox/ConversationEntry.ts"
import { StoreEntry } from "./commerce/StoreEntry.ts"

/** One thing that happened with a contact: the union of every area's entries. */
export const TimelineEntry = Schema.Union([
  ...HistoryEntry.members,
  ...ConversationEntry.members,
  ...StoreEntry.members,
  RecipientEntry
]).annotate({
  identifier: "TimelineEntry"
})
export type TimelineEntry = typeof TimelineEntry.Type
