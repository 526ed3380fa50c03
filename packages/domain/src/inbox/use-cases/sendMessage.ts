import { Effect } from "effect"
import { record } from "../../audit/index.ts"
import { CurrentActor, refer, transact, useCase } from "../../kernel/index.ts"
import type { ConversationId } from "../Ids.ts"
import type { MessageAuthor, NewMessage } from "../Message.ts"
import { urgency } from "../sending/urgency.ts"
import { writeMessage } from "../writing/writeMessage.ts"

const author = Effect.map(CurrentActor, (actor): MessageAuthor => {
  const { id, kind } = refer(actor)
  if (kind === "plugin") return { kind: "token", id }
  return { kind: kind === "system" || kind === "anonymous" ? "automation" : kind, id }
})

/** Writes a message to the contact. It is sent right after the commit, and its status shows the outcome. */
export const sendMessage = useCase(
  "messages.send",
  { access: { permission: "conversations.manage" } },
  Effect.fnUntraced(function* (conversationId: ConversationId, said: NewMessage) {
    const message = yield* writeMessage(conversationId, said, { author: yield* author, priority: yield* urgency })
    const { id, kind } = message
    yield* record("message.sent", { kind: "message", id }, { after: { conversationId, kind } })
    return message
  }, transact)
)
