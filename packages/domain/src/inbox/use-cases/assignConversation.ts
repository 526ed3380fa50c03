import { Effect } from "effect"
import { transact, useCase, type UserId } from "../../kernel/index.ts"
import { takeAssignee } from "../assignees.ts"
import { assigned } from "../changes.ts"
import type { ConversationId } from "../Ids.ts"
import { changeConversation } from "./takeConversation.ts"

/** Hands a conversation to a member of the team; `null` to nobody. */
export const assignConversation = useCase(
  "conversations.assign",
  { access: { permission: "conversations.manage" } },
  Effect.fnUntraced(function* (id: ConversationId, assigneeId: UserId | null) {
    const requireAssignee = yield* takeAssignee(assigneeId, "/assigneeId")
    return yield* changeConversation(id, (before, now) => Effect.as(requireAssignee, assigned(before, assigneeId, now)))
  }, transact)
)
