import type { InboundEvent } from "@parley/domain/messaging"
import { listAt, storableText, textAt } from "../../json.ts"
import { phoneIn } from "./readDetails.ts"
import { type Place, unknownEvent } from "./readPlace.ts"

const standbyField = "standby"
const controlField = "messaging_handovers"

/** Whether the field reports a conversation that an agent of the provider holds. */
export const isHandoverField = (field: string): boolean => field === standbyField || field === controlField

const longestText = 200

/**
 * Reads that an agent of the provider holds a conversation, or that the control of it changes. The provider publishes no shape of these fields. So
 * they become notices with the ids of the messages and start no automation, and the delivery is also kept as unknown.
 */
export const handoversIn = (place: Place, field: string, value: unknown): ReadonlyArray<InboundEvent> => {
  const messages = field === standbyField ? listAt(value, "messages") : []
  const ids = messages.map((message) => textAt(message, "id"))
  const notices = (ids.length === 0 ? [null] : ids).map((id): InboundEvent => ({
    kind: "notice",
    ...place,
    displayPhone: phoneIn(textAt(value, "metadata", "display_phone_number")),
    topic: "handover",
    event: field,
    detail: id === null ? null : storableText(id, longestText)
  }))
  return [...notices, unknownEvent(place, field)]
}
