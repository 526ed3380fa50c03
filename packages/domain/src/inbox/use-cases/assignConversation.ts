import { Effect } from "effect"
import { transact, useCase, type UserId } from "../../kernel/index.ts"
import { requireAssignee } from "../assignees.ts"
import { assigned } from "../changes.ts"
import type { ConversationId } from "../Ids.ts"
import { changeConversation } from "./takeConversation.ts"

/** Hands a conversation to a member of the team; `null` to nobody. */
export const assignConversation = useCase(
  "conversations.assign",
  { access: { permission: "conversations.manage" } },
  Effect.fnUntraced(function* (id: ConversationId, assigneeId: UserId | null) {
    return yield* changeConversation(
      id,
      Effect.fnUntraced(function* (before, now) {
        if (assigneeId !== null) yield* requireAssignee(assigneeId, "/assigneeId")
        return assigned(before, assigneeId, now)
      })
    )
  }, transact)
)
