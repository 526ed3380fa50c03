import { Effect } from "effect"
import { Messages } from "../../../inbox/index.ts"
import { sendAway } from "../../../schedules/index.ts"
import type { ActionOf } from "../Action.ts"
import type { ActionFacts } from "../ActionFacts.ts"
import { done } from "../ActionResult.ts"
import { conversationMeant } from "../conversationMeant.ts"
import { sendMessage } from "./writeMessage.ts"

/** So many of the last messages are looked through for what the contact has written. */
const recent = 20

/** Tells whoever has written last that nobody is there. */
export const tellAway = Effect.fnUntraced(function* (
  { message, scheduleId }: ActionOf<"send_away">,
  facts: ActionFacts
) {
  const { id: conversationId } = yield* conversationMeant(facts)
  const latest = yield* (yield* Messages).list(conversationId, { limit: recent, after: null })
  const received = latest.find(({ direction }) => direction === "inbound")
  if (received === undefined) return done(null)
  const outcome = yield* sendAway(
    { scheduleId, received: { conversationId, messageId: received.id } },
    sendMessage({ type: "send_message", message }, { ...facts, conversationId })
  )
  return outcome.kind === "sent" ? outcome.sent : done(null)
})
