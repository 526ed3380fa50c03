import { DateTime, Effect } from "effect"
import { NotFound } from "../../kernel/index.ts"
import type { Conversation } from "./Conversation.ts"
import { Conversations } from "./Conversations.ts"
import { ConversationExists } from "./Errors.ts"
import type { ConversationId } from "./Ids.ts"
import { isSame, keepConversations } from "./keepConversations.ts"
import { shownConversations } from "./shown.ts"

/** Reads a conversation to change it. */
export const lockConversation = Effect.fnUntraced(function* (id: ConversationId) {
  const [conversation] = yield* (yield* Conversations).lock([id])
  return conversation ?? (yield* new NotFound({ resource: "conversation" }))
})

/** The conversation as it is shown now. */
export const showConversation = Effect.fnUntraced(function* (id: ConversationId) {
  const [shown] = yield* shownConversations([yield* (yield* Conversations).get(id)])
  return shown ?? (yield* Effect.die(new Error("A conversation was not shown.")))
})

/** As `changeConversation`, where the change may make an unresolved conversation of a resolved one. */
export const reviveConversation = Effect.fnUntraced(function* <E, R>(
  id: ConversationId,
  change: (before: Conversation, now: DateTime.Utc) => Effect.Effect<Conversation, E, R>
) {
  const before = yield* lockConversation(id)
  const after = yield* change(before, yield* DateTime.now)
  if (!isSame({ before, after })) yield* keepConversations([{ before, after }])
  return yield* showConversation(id)
})

/** Makes something else of a conversation, and shows what has become of it. */
export const changeConversation = <E, R>(
  id: ConversationId,
  change: (before: Conversation, now: DateTime.Utc) => Effect.Effect<Conversation, E, R>
) =>
  Effect.catchIf(
    reviveConversation(id, change),
    (error): error is ConversationExists => error instanceof ConversationExists,
    Effect.die
  )
