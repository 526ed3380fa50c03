import { Effect } from "effect"
import { transact, useCase } from "../../../kernel/index.ts"
import type { ConversationId } from "../Ids.ts"
import { inStatus } from "../states.ts"
import { reviveConversation } from "../changeConversation.ts"

/** Takes a conversation up again, unless the contact has another one over the same number by now. */
export const reopenConversation = useCase(
  "conversations.reopen",
  { access: { permission: "conversations.manage" } },
  Effect.fnUntraced(function* (id: ConversationId) {
    return yield* reviveConversation(id, (before, now) => inStatus(before, "open", now))
  }, transact)
)
