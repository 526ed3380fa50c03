import type { DeliveryPart, InboundEvent } from "@parley/domain/messaging"
import { at, idAt, listAt, numberAt, parsed, textAt } from "../../json.ts"
import { accountFieldIn, alertedNumber, businessOf } from "./readAccount.ts"
import { callsIn, groupsIn, isGroupField } from "./readCalls.ts"
import { controlField, handoverIn, standbyField, standbyIn } from "./readHandovers.ts"
import { addressField, addressIn, historyField, historyIn } from "./readCoexistence.ts"
import { echoField, echoIn, messageIn } from "./readMessages.ts"
import { type Place, unknownEvent } from "./readPlace.ts"
import { errorIn, preferenceIn, receiptIn } from "./readReceipts.ts"
import { isTemplateField, templateIn } from "./readTemplates.ts"

/** Errors next to messages or statuses explain them. Errors alone concern the number. */
const messagesIn = (place: Place, value: unknown): ReadonlyArray<InboundEvent> => {
  const events = [
    ...listAt(value, "messages").map((message) => messageIn(place, value, message)),
    ...listAt(value, "statuses").map((receipt) => receiptIn(place, value, receipt))
  ]
  return events.length > 0 ? events : listAt(value, "errors").map((error) => errorIn(place, error))
}

const eventsOf = (place: Place, field: string, value: unknown): ReadonlyArray<InboundEvent> => {
  switch (field) {
    case "messages":
      return messagesIn(place, value)
    case echoField:
      return listAt(value, "message_echoes").map((message) => echoIn(place, value, message))
    case historyField:
      return historyIn(place, value)
    case addressField:
      return listAt(value, "state_sync").map((entry) => addressIn(place, entry))
    case "calls":
      return callsIn(place, value)
    case standbyField:
      return standbyIn(place, value)
    case controlField:
      return handoverIn(place, value)
    case "user_preferences":
      return listAt(value, "user_preferences").map((preference) => preferenceIn(place, preference))
    default:
      if (isTemplateField(field)) return [templateIn(place, field, value)]
      return isGroupField(field) ? groupsIn(place, value) : [accountFieldIn(place, field, value)]
  }
}

/** Number of a change. A change of the control names it as the recipient, and an alert as its entity. */
const numberIn = (change: unknown): string | null =>
  idAt(change, "value", "metadata", "phone_number_id") ??
  idAt(change, "value", "recipient", "phone_number_id") ??
  alertedNumber(change)

const changeIn =
  (entryId: string) =>
  (change: unknown): ReadonlyArray<InboundEvent> => {
    const value = at(change, "value")
    const field = textAt(change, "field") ?? "none"
    const place = {
      businessId: businessOf(entryId, change),
      phoneId: numberIn(change)
    }
    const events = eventsOf(place, field, value)
    return events.length === 0 ? [unknownEvent(place, field)] : events
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
const timedFields: ReadonlySet<string | null> = new Set([
  "messages",
  echoField,
  historyField,
  addressField,
  "calls",
  standbyField,
  controlField,
  "user_preferences"
])

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
    const entryId = idAt(entry, "id") ?? ""
    return listAt(entry, "changes").map((change) => ({
      businessId: businessOf(entryId, change),
      phoneId: numberIn(change),
      body: utf8Out.encode(
        JSON.stringify({
          object: providerObject,
          entry: [{ id: entryId, ...timeOf(entry, change), changes: [change] }]
        })
      )
    }))
  })
}

/** Everything that a delivery tells, in its order; `null` if the provider did not send it. */
export const readDelivery = (body: Uint8Array): ReadonlyArray<InboundEvent> | null =>
  entriesIn(body)?.flatMap((entry) => listAt(entry, "changes").flatMap(changeIn(idAt(entry, "id") ?? ""))) ?? null
