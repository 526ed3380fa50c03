import { Effect } from "effect"
import { type ConversationId, Messages } from "../../../../messaging/inbox/index.ts"
import { sendAway } from "../../../schedules/index.ts"
import type { ActionOf } from "../Action.ts"
import type { ActionFacts } from "../ActionFacts.ts"
import { done } from "../ActionResult.ts"
import { conversationMeant } from "../conversationMeant.ts"
import { sendMessage } from "./writeMessage.ts"

/** So many of the last messages are looked through for what the contact has written. */
const recent = 20

/** What the contact has written: the message of the event, or where that is about none the last one in the conversation. */
const receivedIn = Effect.fnUntraced(function* (conversationId: ConversationId, facts: ActionFacts) {
  const messages = yield* Messages
  if (facts.messageId !== undefined && facts.messageId !== null && facts.conversationId === conversationId) {
    const own = yield* messages.get(conversationId, facts.messageId)
    return own.direction === "inbound" ? own : null
  }
  const latest = yield* messages.list(conversationId, { limit: recent, after: null })
  return latest.find(({ direction }) => direction === "inbound") ?? null
})

/** Tells whoever has written that nobody is there. */
export const tellAway = Effect.fnUntraced(function* (
  { message, scheduleId }: ActionOf<"send_away">,
  facts: ActionFacts
) {
  const { id: conversationId } = yield* conversationMeant(facts)
  const received = yield* receivedIn(conversationId, facts)
  if (received === null) return done(null)
  const outcome = yield* sendAway(
    { scheduleId, received: { conversationId, messageId: received.id } },
    sendMessage({ type: "send_message", message }, { ...facts, conversationId })
  )
  return outcome.kind === "sent" ? outcome.sent : done(null)
})
