import { Effect } from "effect"
import { pagedAsRendered, type PageRequest, useCase } from "../../../kernel/index.ts"
import { Conversations } from "../Conversations.ts"
import type { ConversationId } from "../Ids.ts"
import { Messages } from "../Messages.ts"
import { messagesOf } from "../messagesOf.ts"

/** Reads what `listMessages` reads, for an answer: messages come as answers write them. */
export const renderMessages = useCase(
  "messages.render",
  { access: { permission: "conversations.read" } },
  Effect.fnUntraced(function* (conversationId: ConversationId, page: PageRequest) {
    yield* (yield* Conversations).get(conversationId)
    const messages = yield* Messages
    return yield* pagedAsRendered(messagesOf(conversationId), page, (slice) =>
      Effect.map(messages.render(conversationId, slice), (rows) => ({ rows, resume: null }))
    )
  })
)
