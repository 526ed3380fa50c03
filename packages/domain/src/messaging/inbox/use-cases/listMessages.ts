import { DateTime, Effect } from "effect"
import { paged, type PageRequest, useCase } from "../../../kernel/index.ts"
import { Conversations } from "../Conversations.ts"
import type { ConversationId } from "../Ids.ts"
import { Messages } from "../Messages.ts"
import { messagesOf } from "../messagesOf.ts"

/** Reads the messages of a conversation, newest first. */
export const listMessages = useCase(
  "messages.list",
  { access: { permission: "conversations.read" } },
  Effect.fnUntraced(function* (conversationId: ConversationId, page: PageRequest) {
    yield* (yield* Conversations).get(conversationId)
    const messages = yield* Messages
    return yield* paged(
      messagesOf(conversationId),
      page,
      (slice) => messages.list(conversationId, slice),
      ({ at, id }) => [DateTime.formatIso(at), id]
    )
  })
)
