import { DateTime, Effect } from "effect"
import type { InboxEvent } from "../../inbox/index.ts"
import { appending } from "../../kernel/index.ts"
import { Assignments } from "../Assignments.ts"
import type { Member } from "../Member.ts"

const appendEvent = appending<InboxEvent>()

/** Leaves to nobody what the member has looked after. Call it once the member is gone, or has another role. */
export const releaseAssignments = Effect.fnUntraced(function* ({ userId }: Member) {
  if (userId === null) return
  for (const conversationId of yield* (yield* Assignments).release(userId, yield* DateTime.now)) {
    yield* appendEvent({ type: "conversation.assigned", conversationId, assigneeId: null })
  }
})
