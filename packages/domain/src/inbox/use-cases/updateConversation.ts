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
    const { assigneeId, fits } = yield* takeAssignee(patch.assigneeId ?? null, "/assigneeId")
    const { assigneeId: _said, ...others } = patch
    const wanted = patch.assigneeId === undefined ? others : { ...others, assigneeId }
    return yield* reviveConversation(
      id,
      Effect.fnUntraced(function* (before, now) {
        yield* requireVersion(before, expectedVersion)
        if (assigneeId !== before.assigneeId) yield* fits
        return yield* patched(before, wanted, now)
      })
    )
  }, transact)
)
