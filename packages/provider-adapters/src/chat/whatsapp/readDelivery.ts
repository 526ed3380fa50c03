import type { DeliveryPart, InboundEvent } from "@parley/domain"
import { at, idAt, listAt, numberAt, parsed, textAt } from "../../json.ts"
import { accountFieldIn } from "./readAccount.ts"
import { echoField, echoIn, messageIn, type Place, preferenceIn, receiptIn, unknownEvent } from "./readMessages.ts"

const messagesIn = (place: Place, value: unknown): ReadonlyArray<InboundEvent> => [
  ...listAt(value, "messages").map((message) => messageIn(place, value, message)),
  ...listAt(value, "statuses").map((receipt) => receiptIn(place, receipt)),
  ...(listAt(value, "errors").length === 0 ? [] : [unknownEvent(place, "messages", "errors")])
]

const orUnknown = (place: Place, field: string, events: ReadonlyArray<InboundEvent>) =>
  events.length === 0 ? [unknownEvent(place, field)] : events

const changeIn =
  (businessId: string) =>
  (change: unknown): ReadonlyArray<InboundEvent> => {
    const value = at(change, "value")
    const field = textAt(change, "field") ?? "none"
    const place = { businessId, phoneId: idAt(value, "metadata", "phone_number_id") }
    switch (field) {
      case "messages":
        return orUnknown(place, field, messagesIn(place, value))
      case echoField:
        return orUnknown(
          place,
          field,
          listAt(value, "message_echoes").map((message) => echoIn(place, message))
        )
      case "user_preferences":
        return orUnknown(
          place,
          field,
          listAt(value, "user_preferences").map((preference) => preferenceIn(place, preference))
        )
      default:
        return [accountFieldIn(place, field, value)]
    }
  }

const utf8 = new TextDecoder()

const utf8Out = new TextEncoder()

const providerObject = "whatsapp_business_account"

/** The entries of a delivery; `null` if the provider did not send it. */
const entriesIn = (body: Uint8Array): ReadonlyArray<unknown> | null => {
  const delivery = parsed(utf8.decode(body))
  if (at(delivery, "object") !== providerObject || !Array.isArray(at(delivery, "entry"))) return null
  return listAt(delivery, "entry")
}

const longestId = 100

/** Four times as many as fit into the largest delivery when each says anything. */
const mostChanges = 30_000

/**
 * Whether a delivery can be split at low cost. Each part repeats the id of its entry, so a small body with a long id, or with empty changes, would
 * expand to many times its size.
 */
const isDivisible = (entries: ReadonlyArray<unknown>): boolean =>
  entries.every((entry) => (idAt(entry, "id") ?? "").length <= longestId) &&
  entries.reduce<number>((sum, entry) => sum + listAt(entry, "changes").length, 0) <= mostChanges

/** Fields whose values say when each thing happened. */
const timedFields: ReadonlySet<string | null> = new Set(["messages", echoField, "user_preferences"])

/** Time of a change that has none itself: a template that is paused, approved and paused again sends equal reports, which are no repetitions. */
const timeOf = (entry: unknown, change: unknown): { readonly time?: number } => {
  const time = timedFields.has(textAt(change, "field")) ? null : numberAt(entry, "time")
  return time === null ? {} : { time }
}

/** Changes of a delivery, each as a separate delivery; `null` if the provider did not send it. */
export const partsOfDelivery = (body: Uint8Array): ReadonlyArray<DeliveryPart> | null => {
  const entries = entriesIn(body)
  if (entries === null || !isDivisible(entries)) return null
  return entries.flatMap((entry) => {
    const businessId = idAt(entry, "id") ?? ""
    return listAt(entry, "changes").map((change) => ({
      businessId,
      phoneId: idAt(change, "value", "metadata", "phone_number_id"),
      body: utf8Out.encode(
        JSON.stringify({
          object: providerObject,
          entry: [{ id: businessId, ...timeOf(entry, change), changes: [change] }]
        })
      )
    }))
  })
}

/** Everything that a delivery tells, in its order; `null` if the provider did not send it. */
export const readDelivery = (body: Uint8Array): ReadonlyArray<InboundEvent> | null =>
  entriesIn(body)?.flatMap((entry) => listAt(entry, "changes").flatMap(changeIn(idAt(entry, "id") ?? ""))) ?? null
