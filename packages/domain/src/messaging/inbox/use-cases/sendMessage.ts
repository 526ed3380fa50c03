import { Effect } from "effect"
import { record } from "../../../platform/audit/index.ts"
import { transact, useCase } from "../../../kernel/index.ts"
import type { ConversationId } from "../Ids.ts"
import type { NewMessage } from "../Message.ts"
import { urgency } from "../sending/urgency.ts"
import { authorNow } from "../writing/authorNow.ts"
import { writeMessage } from "../writing/writeMessage.ts"

/** Writes a message to the contact. It is sent right after the commit, and its status shows the outcome. */
export const sendMessage = useCase(
  "messages.send",
  { access: { permission: "conversations.manage" } },
  Effect.fnUntraced(function* (conversationId: ConversationId, said: NewMessage) {
    const message = yield* writeMessage(conversationId, said, { author: yield* authorNow, priority: yield* urgency })
    const { id, kind } = message
    yield* record("message.sent", { kind: "message", id }, { after: { conversationId, kind } })
    return message
  }, transact)
)
