import { Effect } from "effect"
import { requireVersion, transact, useCase } from "../../kernel/index.ts"
import { takeAssignee } from "../assignees.ts"
import { patched } from "../changes.ts"
import type { ConversationPatch } from "../Conversation.ts"
import type { ConversationId } from "../Ids.ts"
import { reviveConversation } from "./takeConversation.ts"

/** Changes what the team has noted of a conversation. */
export const updateConversation = useCase(
  "conversations.update",
  { access: { permission: "conversations.manage" } },
  Effect.fnUntraced(function* (id: ConversationId, patch: ConversationPatch, expectedVersion: number | null) {
    const { assigneeId = null } = patch
    const requireAssignee = yield* takeAssignee(assigneeId, "/assigneeId")
    return yield* reviveConversation(
      id,
      Effect.fnUntraced(function* (before, now) {
        yield* requireVersion(before, expectedVersion)
        if (assigneeId !== before.assigneeId) yield* requireAssignee
        return yield* patched(before, patch, now)
      })
    )
  }, transact)
)
