import type { InboundCall, InboundEvent } from "@parley/domain/messaging"
import type { Schema } from "effect"
import { listAt, numberAt, storableText, textAt } from "../../json.ts"
import { phoneIn } from "./readDetails.ts"
import { contactOf, isPerson, personIn } from "./readMessages.ts"
import { type Place, timeAt, unknownEvent, usernameIn } from "./readPlace.ts"

const longestWord = 40

const word = (value: unknown, key: string) =>
  storableText((textAt(value, key) ?? "").toLowerCase(), longestWord) || null

/** Ids of the other side. A call of a person without a phone number can name the person only in its contact. */
const callerIn = (value: unknown, received: unknown, names: Parameters<typeof personIn>[1]) => {
  const person = personIn(received, names)
  if (isPerson(person)) return person
  const [contact, ...others] = listAt(value, "contacts")
  return others.length > 0 ? person : personIn(contact, { phone: "wa_id", user: "user_id", parent: "parent_user_id" })
}

/** Event of a call as a message of the customer. The id of a call has several events, so the event is part of the id of the message. */
const callEvent = (
  place: Place,
  value: unknown,
  received: unknown,
  call: Omit<InboundCall, "callId">,
  names: Parameters<typeof personIn>[1]
): InboundEvent => {
  const callId = textAt(received, "id")
  const at = timeAt(received, "timestamp")
  const person = callerIn(value, received, names)
  const { phoneId } = place
  if (phoneId === null || callId === null || at === null) return unknownEvent(place, "calls")
  if (!isPerson(person)) return unknownEvent(place, "calls", "person")
  const contact = contactOf(value, textAt(received, names.phone), person.chatUser)
  const username = usernameIn(textAt(contact, "profile", "username"))
  return {
    kind: "message",
    phoneId,
    id: `${callId}:${call.event}`,
    at,
    from: {
      ...person,
      chatUser: person.chatUser ?? textAt(contact, "user_id"),
      ...(username !== null && { username }),
      name: textAt(contact, "profile", "name")
    },
    content: { kind: "call", call: { callId, ...call } },
    replyTo: null,
    fromAdvertisement: false,
    raw: received as Schema.Json
  }
}

const callIn = (place: Place, value: unknown, received: unknown): InboundEvent => {
  const isOurs = textAt(received, "direction") === "BUSINESS_INITIATED"
  const duration = numberAt(received, "duration")
  return callEvent(
    place,
    value,
    received,
    {
      direction: isOurs ? "business_initiated" : "user_initiated",
      event: word(received, "event") ?? "call",
      status: word(received, "status"),
      durationSeconds: duration === null ? null : Math.max(0, Math.round(duration))
    },
    isOurs
      ? { phone: "to", user: "to_user_id", parent: "to_parent_user_id" }
      : { phone: "from", user: "from_user_id", parent: "from_parent_user_id" }
  )
}

/** Status of a call that the business started. */
const callStatusIn = (place: Place, value: unknown, received: unknown): InboundEvent => {
  const status = word(received, "status")
  return callEvent(
    place,
    value,
    received,
    { direction: "business_initiated", event: status ?? "status", status, durationSeconds: null },
    { phone: "recipient_id", user: "recipient_user_id", parent: "recipient_parent_user_id" }
  )
}

/** Reads calls and their statuses. */
export const callsIn = (place: Place, value: unknown): ReadonlyArray<InboundEvent> => [
  ...listAt(value, "calls").map((call) => callIn(place, value, call)),
  ...listAt(value, "statuses").map((status) => callStatusIn(place, value, status))
]

/** Whether the field reports on groups. Two documents of the provider name a field differently. */
export const isGroupField = (field: string): boolean => /^group_[a-z]+_update$/u.test(field)

const longestText = 200

/** Reads events of groups. */
export const groupsIn = (place: Place, value: unknown): ReadonlyArray<InboundEvent> =>
  listAt(value, "groups").flatMap((group): ReadonlyArray<InboundEvent> => {
    const event = textAt(group, "type")
    return event === null
      ? []
      : [
          {
            kind: "notice",
            ...place,
            displayPhone: phoneIn(textAt(value, "metadata", "display_phone_number")),
            topic: "group",
            event: storableText(event, longestText),
            detail: storableText(textAt(group, "group_id") ?? "", longestText) || null
          }
        ]
  })
