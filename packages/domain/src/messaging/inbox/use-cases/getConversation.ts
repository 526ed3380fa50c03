import { Effect } from "effect"
import { useCase } from "../../../kernel/index.ts"
import { showConversation } from "../changeConversation.ts"
import { expandConversations } from "../expandConversations.ts"
import type { ConversationExpansion, ExpandedConversation } from "../ExpandedConversation.ts"
import type { ConversationId } from "../Ids.ts"

/** Reads one conversation. */
export const getConversation = useCase(
  "conversations.get",
  { access: { permission: "conversations.read" } },
  Effect.fnUntraced(function* (id: ConversationId, expand: ReadonlyArray<ConversationExpansion> = []) {
    const shown: ExpandedConversation = yield* showConversation(id)
    const [expanded] = yield* expandConversations([shown], expand)
    return expanded ?? shown
  })
)
