import { Effect } from "effect"
import { useCase } from "../../../kernel/index.ts"
import type { ConversationId, MessageId } from "../Ids.ts"
import { Messages } from "../Messages.ts"

/** Reads one message. */
export const getMessage = useCase(
  "messages.get",
  { access: { permission: "conversations.read" } },
  Effect.fnUntraced(function* (conversationId: ConversationId, id: MessageId) {
    return yield* (yield* Messages).get(conversationId, id)
  })
)
