import type { InboundEvent } from "@parley/domain/messaging"
import { Predicate } from "effect"
import { at, listAt, storableText, textAt } from "../../json.ts"
import { phoneIn } from "./readDetails.ts"
import { echoIn, messageIn } from "./readMessages.ts"
import { type Place, unknownEvent } from "./readPlace.ts"
import { receiptIn } from "./readReceipts.ts"

/** Field for a conversation that an agent of the provider holds. */
export const standbyField = "standby"

/** Field for a change of the control over a conversation. Its value names the number as the recipient. */
export const controlField = "messaging_handovers"

const longestText = 200

const notice = (place: Place, displayPhone: string | null, event: string, detail: string | null): InboundEvent => ({
  kind: "notice",
  ...place,
  displayPhone: phoneIn(displayPhone),
  topic: "handover",
  event,
  detail
})

/** Message of the contact to the agent. */
const heldMessage = (place: Place, value: unknown, message: unknown): InboundEvent => {
  const event = messageIn(place, value, message)
  return event.kind === "message" ? { ...event, isHeld: true } : event
}

/** Message of the agent. Its content is one level deeper than in other echoes. */
const agentMessage = (place: Place, value: unknown, echo: unknown): InboundEvent => {
  const message = at(echo, "message")
  return Predicate.isObject(echo) && Predicate.isObject(message)
    ? echoIn(place, value, { ...message, ...echo })
    : unknownEvent(place, standbyField, "echo")
}

/** Reads messages and receipts of a conversation that an agent of the provider holds. They are notices where the shape is unknown. */
export const standbyIn = (place: Place, value: unknown): ReadonlyArray<InboundEvent> => {
  const inner = at(value, standbyField)
  const update = Predicate.isObject(inner) ? inner : value
  const events = [
    ...listAt(update, "messages").map((message) => heldMessage(place, update, message)),
    ...listAt(update, "message_echoes").map((echo) => agentMessage(place, update, echo)),
    ...listAt(update, "statuses").map((receipt) => receiptIn(place, update, receipt))
  ]
  return events.length > 0
    ? events
    : [
        notice(place, textAt(value, "metadata", "display_phone_number"), standbyField, null),
        unknownEvent(place, standbyField)
      ]
}

/** Reads a change of the control over a conversation, with the role of the new owner. */
export const handoverIn = (place: Place, value: unknown): ReadonlyArray<InboundEvent> => {
  const type = textAt(value, "type")
  const role = type === null ? null : textAt(value, type, "new_owner_role")
  const displayPhone =
    textAt(value, "recipient", "display_phone_number") ?? textAt(value, "metadata", "display_phone_number")
  const change = notice(
    place,
    displayPhone,
    storableText(type ?? controlField, longestText),
    role === null ? null : storableText(role, longestText)
  )
  return type === null ? [change, unknownEvent(place, controlField)] : [change]
}
