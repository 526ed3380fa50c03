import { Effect } from "effect"
import { transact, useCase } from "../../../kernel/index.ts"
import { takeAssignee } from "../assignees.ts"
import { assigned } from "../changes.ts"
import type { Assignee } from "../Conversation.ts"
import type { ConversationId } from "../Ids.ts"
import { changeConversation } from "../changeConversation.ts"

/** Hands a conversation to a member of the team; `null` to nobody. */
export const assignConversation = useCase(
  "conversations.assign",
  { access: { permission: "conversations.manage" } },
  Effect.fnUntraced(function* (id: ConversationId, said: Assignee) {
    const { assigneeId, fits } = yield* takeAssignee(said, "/assigneeId")
    return yield* changeConversation(id, (before, now) => Effect.as(fits, assigned(before, assigneeId, now)))
  }, transact)
)
