import { DateTime } from "effect"
import type { Conversation, Priority } from "./Conversation.ts"
import type { ConversationSort } from "./Conversations.ts"

/** The priorities, the most urgent one first. */
export const byUrgency: ReadonlyArray<Priority> = ["urgent", "high", "medium", "low", "none"]

/** Where a conversation stands in a list. Lists by rank have the rank in front: the lower one comes first. */
export const conversationKey = (sort: ConversationSort, conversation: Conversation): ReadonlyArray<string> => {
  const { createdAt, id, lastActivityAt, priority, waitingSince } = conversation
  switch (sort) {
    case "createdAt":
    case "-createdAt":
      return [DateTime.formatIso(createdAt), id]
    case "lastActivityAt":
    case "-lastActivityAt":
      return [DateTime.formatIso(lastActivityAt), id]
    case "waitingSince":
      return waitingSince === null
        ? ["1", DateTime.formatIso(lastActivityAt), id]
        : ["0", DateTime.formatIso(waitingSince), id]
    case "priority":
      return [String(byUrgency.indexOf(priority)), DateTime.formatIso(lastActivityAt), id]
  }
}

/** Whether the rows of a rank stand in a list with the latest time first. */
export const isDescending = (sort: ConversationSort, rank: string | null): boolean =>
  sort === "priority" || (sort === "waitingSince" ? rank === "1" : sort.startsWith("-"))
