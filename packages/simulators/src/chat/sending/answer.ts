import type { CheckedMessage } from "../messages/Known.ts"
import type { Misbehaviour } from "../Misbehaviour.ts"
import type { AcceptedMessage } from "../World.ts"

type Fault = Misbehaviour["what"] | null

const statusOf = (fault: Fault): string => {
  if (fault?.kind === "held") return "held_for_quality_assessment"
  return fault?.kind === "paused" ? "paused" : "accepted"
}

/** The answer to an accepted message. */
export const answerTo = (message: AcceptedMessage, { template, to }: CheckedMessage, fault: Fault) => ({
  messaging_product: "whatsapp",
  contacts: [
    {
      input: to.input,
      ...(to.kind === "user" ? {} : { wa_id: message.to }),
      ...(to.kind === "group" || to.userId === null ? {} : { user_id: to.userId })
    }
  ],
  messages: [
    {
      id: message.id,
      ...(message.groupId === null ? {} : { group_id: message.groupId }),
      ...(template === null ? {} : { message_status: statusOf(fault) })
    }
  ]
})
