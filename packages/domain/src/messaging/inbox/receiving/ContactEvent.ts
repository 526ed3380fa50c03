import { DateTime, Effect } from "effect"
import { type ReceivedEvent, type ChatAccountId, ChatAccounts, type InboundEvent } from "../../chat/index.ts"
import { toFollowingFileId } from "../followingFiles.ts"
import type { SenderDetails, SenderIds } from "./senders.ts"

/** Action of a contact, or status of a message, as reported by the provider. */
export type ContactEvent = ReceivedEvent<
  Extract<
    InboundEvent,
    { readonly kind: "message" | "echo" | "history" | "address" | "receipt" | "payment" | "preference" }
  >
>

/** Message of a contact. */
export type MessageEvent = Extract<ContactEvent, { readonly kind: "message" }>

/** Message that the business wrote outside of Parley. */
export type EchoEvent = Extract<ContactEvent, { readonly kind: "echo" }>

/** Message from before the connection of the number. */
export type HistoryEvent = Extract<ContactEvent, { readonly kind: "history" }>

/** Entry of the address book in the provider's own app. */
export type AddressEvent = Extract<ContactEvent, { readonly kind: "address" }>

/** Status of an outgoing message. */
export type ReceiptEvent = Extract<ContactEvent, { readonly kind: "receipt" }>

/** Payment of an order that the business sent. */
export type PaymentEvent = Extract<ContactEvent, { readonly kind: "payment" }>

/** Marketing preference of a contact. */
export type PreferenceEvent = Extract<ContactEvent, { readonly kind: "preference" }>

/** The sender, with the own phone number that the message shares. */
const withOwnPhone = (event: MessageEvent | PreferenceEvent): SenderIds => {
  const ownPhone = event.kind === "message" && event.content.kind === "contacts" ? event.content.ownPhone : undefined
  return ownPhone === undefined || event.from.phone !== null ? event.from : { ...event.from, phone: ownPhone }
}

/** Returns the person of an event; `null` for receipts and payments, which create no contacts. */
export const eventSender = (event: ContactEvent): SenderIds | null => {
  switch (event.kind) {
    case "receipt":
    case "payment":
      return null
    case "echo":
      return event.to
    case "history":
      return event.person
    case "address":
      return event.action === "add" ? event.person : null
    default:
      return withOwnPhone(event)
  }
}

const eventSenderName = (event: ContactEvent): string | null => {
  if (event.kind === "message") return event.from.name
  if (event.kind === "echo") return event.to.name ?? null
  return event.kind === "address" ? event.name : null
}

const unwrittenKinds: ReadonlySet<string> = new Set(["call", "group", "system"])

/** Whether the event is no message that the person has now written to the business. */
const isUnwritten = (event: ContactEvent): boolean => {
  if (event.kind !== "message") return event.kind === "history" || event.kind === "address" || event.kind === "echo"
  const { content } = event
  return unwrittenKinds.has(content.kind) && !(content.kind === "system" && content.isWelcome === true)
}

/** Returns the data of the person in addition to the ids, as far as the event contains it. */
export const eventSenderDetails = (event: ContactEvent): SenderDetails => ({
  name: eventSenderName(event),
  ...(event.kind === "message" && event.from.username !== undefined && { username: event.from.username }),
  isImported: isUnwritten(event),
  at: event.kind === "history" || event.kind === "address" ? null : occurredAt(event)
})

/** Returns the new ids of the person that a message reports; `null` without any. */
export const newIdsOf = (event: ContactEvent): SenderIds | null => {
  if (event.kind !== "message" || event.content.kind !== "system") return null
  const { newChatUser = null, newParentUser, newPhone } = event.content
  if (newChatUser === null && newParentUser === undefined && newPhone === null) return null
  return {
    phone: newPhone,
    chatUser: newChatUser,
    ...(newParentUser !== undefined && { parentUser: newParentUser })
  }
}

/** Returns the provider's id of the message that this one refers to. */
export const answeredMessageId = ({ content, replyTo }: MessageEvent | EchoEvent | HistoryEvent): string | null => {
  if (content.kind === "reaction") return content.to
  return content.kind === "edit" || content.kind === "revocation" ? content.of : replyTo
}

/** Returns the id of a file that follows its placeholder. The file becomes another message, because the content of a stored message stays. */
export const followingFileId = ({ content, id }: HistoryEvent): string | null =>
  "media" in content ? toFollowingFileId(id) : null

/** Returns the time of an event, which is never after the arrival of its delivery. */
export const occurredAt = ({ arrival, at }: ContactEvent): DateTime.Utc => DateTime.min(at, arrival.at)

/**
 * Selects the organization's accounts for the events, with their events. Events from before the removal of a number still count when they are applied
 * later. Later events of that number are ignored.
 */
export const matchAccounts = Effect.fnUntraced(function* (provider: string, events: ReadonlyArray<ContactEvent>) {
  const chatAccounts = yield* ChatAccounts
  const numbers = new Set(events.map(({ phoneId }) => phoneId))
  const accounts = new Map<string, ChatAccountId>()
  const connected = yield* chatAccounts.findByNumber(provider, [...numbers])
  for (const { externalPhoneId, id } of connected) accounts.set(externalPhoneId, id)
  if (accounts.size === numbers.size) return { accounts, connected, heard: events }
  const removals = new Map<string, DateTime.Utc>()
  for (const { account, removedAt } of yield* chatAccounts.removed()) {
    const { externalPhoneId, id } = account
    if (account.provider !== provider || accounts.has(externalPhoneId) || !numbers.has(externalPhoneId)) continue
    accounts.set(externalPhoneId, id)
    removals.set(externalPhoneId, removedAt)
  }
  const heard = events.filter(({ at, phoneId }) => {
    const removedAt = removals.get(phoneId)
    return removedAt === undefined || DateTime.isLessThanOrEqualTo(at, removedAt)
  })
  return { accounts, connected, heard }
})
