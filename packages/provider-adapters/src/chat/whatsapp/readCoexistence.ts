import type { HistorySyncReport, InboundEvent, PersonIds } from "@parley/domain/messaging"
import { at, idAt, listAt, numberAt, storableText, textAt } from "../../json.ts"
import { onboardingReasonOf } from "./onboardingReasons.ts"
import { phoneIn } from "./readDetails.ts"
import { bodyIn, headIn, isPerson, personIn } from "./readMessages.ts"
import { type Place, timeAt, unknownEvent } from "./readPlace.ts"
import { reasonOf } from "./refusals.ts"

/** Field for older messages of a number that is also in the app of the provider. */
export const historyField = "history"

/** Field for the address book in the app of the provider. */
export const addressField = "smb_app_state_sync"

const longestStatus = 20

/** Customer of a thread. The id of a thread is the phone number, or the id of a user without a visible number. */
const personOf = (thread: unknown, message: unknown, isOwn: boolean): PersonIds => {
  const person = personIn(
    message,
    isOwn
      ? { phone: "to", user: "to_user_id", parent: "to_parent_user_id" }
      : { phone: "from", user: "from_user_id", parent: "from_parent_user_id" }
  )
  if (isPerson(person)) return person
  const id = idAt(thread, "id")
  const phone = phoneIn(id)
  return { phone, chatUser: phone === null ? id : null }
}

const historyMessageIn = (place: Place, own: string | null, thread: unknown, message: unknown): InboundEvent => {
  const head = headIn(place, message)
  const threadId = idAt(thread, "id")
  const from = textAt(message, "from")
  // A thread is named after its customer, so other senders are the business.
  const isFromBusiness =
    threadId === null
      ? own !== null && phoneIn(from) === own
      : from !== threadId && textAt(message, "from_user_id") !== threadId
  const person = personOf(thread, message, isFromBusiness)
  if (head === null || !isPerson(person)) return unknownEvent(place, historyField, "message")
  return {
    kind: "history",
    ...head,
    direction: isFromBusiness ? "outbound" : "inbound",
    person,
    ...bodyIn(message),
    status: storableText((textAt(message, "history_context", "status") ?? "").toLowerCase(), longestStatus) || null
  }
}

const notice = (place: Place, event: string, detail: string | null, historySync: HistorySyncReport): InboundEvent => ({
  kind: "notice",
  ...place,
  displayPhone: null,
  topic: "history",
  event,
  detail,
  historySync
})

/** Progress of the history in percent, or the reason why the provider shares none. */
const progressIn = (place: Place, chunk: unknown): ReadonlyArray<InboundEvent> => {
  const [error] = listAt(chunk, "errors")
  if (error !== undefined) {
    const code = numberAt(error, "code")
    const reason = code === null ? "other" : onboardingReasonOf(code)
    const event = reason === "sync_declined" ? "declined" : String(code ?? "error")
    return [notice(place, event, reasonOf(error, []), { state: "failed", reason, code })]
  }
  const progress = numberAt(chunk, "metadata", "progress")
  if (progress === null) return []
  const percent = Math.min(100, Math.max(0, Math.trunc(progress)))
  return [notice(place, percent === 100 ? "complete" : "progress", String(progress), { state: "progress", percent })]
}

/** Reads a part of the history. Parts arrive in any order. */
export const historyIn = (place: Place, value: unknown): ReadonlyArray<InboundEvent> => {
  const own = phoneIn(textAt(value, "metadata", "display_phone_number"))
  const chunks = listAt(value, "history").flatMap((chunk) => [
    ...listAt(chunk, "threads").flatMap((thread) =>
      listAt(thread, "messages").map((message) => historyMessageIn(place, own, thread, message))
    ),
    ...progressIn(place, chunk)
  ])
  // Files of recent messages follow in the usual list of messages.
  const files = listAt(value, "messages").map((message) => historyMessageIn(place, own, null, message))
  return [...chunks, ...files]
}

/** Reads a change of an entry in the address book. */
export const addressIn = (place: Place, entry: unknown): InboundEvent => {
  const contact = at(entry, "contact")
  const reportedAt = timeAt(entry, "metadata", "timestamp")
  const action = textAt(entry, "action")
  const person = personIn(contact, { phone: "phone_number", user: "user_id", parent: "parent_user_id" })
  const { phoneId } = place
  const isKnown = textAt(entry, "type") === "contact" && (action === "add" || action === "remove")
  if (phoneId === null || reportedAt === null || !isKnown || !isPerson(person)) return unknownEvent(place, addressField)
  return {
    kind: "address",
    phoneId,
    at: reportedAt,
    person,
    name: textAt(contact, "full_name") ?? textAt(contact, "first_name"),
    action: action === "remove" ? "remove" : "add"
  }
}
