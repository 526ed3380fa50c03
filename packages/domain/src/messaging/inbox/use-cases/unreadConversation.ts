import { Effect } from "effect"
import { transact, useCase } from "../../../kernel/index.ts"
import type { ConversationId } from "../Ids.ts"
import { showConversation, lockConversation } from "../changeConversation.ts"
import { isUnread, markUnread } from "../markRead.ts"

/** Says that the last of what came in is to be read again. */
export const unreadConversation = useCase(
  "conversations.unread",
  { access: { permission: "conversations.manage" } },
  Effect.fnUntraced(function* (id: ConversationId) {
    const before = yield* lockConversation(id)
    if (!isUnread(before)) yield* markUnread([before])
    return yield* showConversation(id)
  }, transact)
)
