import { Effect } from "effect"
import { transact, useCase } from "../../../kernel/index.ts"
import type { ConversationId } from "../Ids.ts"
import { showConversation, lockConversation } from "../changeConversation.ts"
import { markRead, isUnread } from "../markRead.ts"

/** Says that all that came in was read. */
export const readConversation = useCase(
  "conversations.read",
  { access: { permission: "conversations.manage" } },
  Effect.fnUntraced(function* (id: ConversationId) {
    const before = yield* lockConversation(id)
    if (isUnread(before)) yield* markRead([before])
    return yield* showConversation(id)
  }, transact)
)
