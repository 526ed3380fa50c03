import { Effect } from "effect"
import { transact, useCase } from "../../../kernel/index.ts"
import type { ConversationId } from "../Ids.ts"
import { inStatus } from "../states.ts"
import { changeConversation } from "../changeConversation.ts"

/** Says that a conversation is done. */
export const resolveConversation = useCase(
  "conversations.resolve",
  { access: { permission: "conversations.manage" } },
  Effect.fnUntraced(function* (id: ConversationId) {
    return yield* changeConversation(id, (before, now) => inStatus(before, "resolved", now))
  }, transact)
)
