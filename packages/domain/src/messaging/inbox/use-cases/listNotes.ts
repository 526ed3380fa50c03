import { Effect } from "effect"
import { paged, type PageRequest, useCase } from "../../../kernel/index.ts"
import { Conversations } from "../Conversations.ts"
import type { ConversationId } from "../Ids.ts"
import { Notes } from "../Notes.ts"

/** Reads the notes on a conversation, newest first. */
export const listNotes = useCase(
  "notes.list",
  { access: { permission: "conversations.read" } },
  Effect.fnUntraced(function* (conversationId: ConversationId, page: PageRequest) {
    yield* (yield* Conversations).get(conversationId)
    const notes = yield* Notes
    return yield* paged(
      `notes/${conversationId}`,
      page,
      (slice) => notes.list(conversationId, slice),
      ({ id }) => [id]
    )
  })
)
