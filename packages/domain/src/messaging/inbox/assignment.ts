import { type DateTime, Effect } from "effect"
import type { UserId } from "../../kernel/index.ts"
import { appendEvent } from "./appendEvent.ts"
import { AssignedConversations } from "./AssignedConversations.ts"
import { Workloads } from "./assigning/Workloads.ts"

/** What the inbox gives members to look after: conversations. */
export const conversationAssignment = {
  release: Effect.fnUntraced(function* (userId: UserId, now: DateTime.Utc) {
    yield* (yield* Workloads).forget(userId)
    for (const conversationId of yield* (yield* AssignedConversations).release(userId, now)) {
      yield* appendEvent({ type: "conversation.assigned", conversationId, assigneeId: null })
    }
  })
}
