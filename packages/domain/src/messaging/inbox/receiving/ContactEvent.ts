import { DateTime, Effect } from "effect"
import { type ReceivedEvent, type ChatAccountId, ChatAccounts, type InboundEvent } from "../../chat/index.ts"
import type { SenderIds } from "./ContactResolver.ts"

/** Action of a contact, or status of a message, as reported by the provider. */
export type ContactEvent = ReceivedEvent<
  Extract<InboundEvent, { readonly kind: "message" | "echo" | "receipt" | "preference" }>
>

/** Message of a contact. */
export type MessageEvent = Extract<ContactEvent, { readonly kind: "message" }>

/** Message that the business wrote outside of Parley. */
export type EchoEvent = Extract<ContactEvent, { readonly kind: "echo" }>

/** Status of an outgoing message. */
export type ReceiptEvent = Extract<ContactEvent, { readonly kind: "receipt" }>

/** Marketing preference of a contact. */
export type PreferenceEvent = Extract<ContactEvent, { readonly kind: "preference" }>

/** Returns the sender of an event; `null` for receipts, which create no contacts. */
export const eventSender = (event: ContactEvent): SenderIds | null =>
  event.kind === "receipt" ? null : event.kind === "echo" ? event.to : event.from

/** Returns the sender's name, if the event contains one. */
export const eventSenderName = (event: ContactEvent) => (event.kind === "message" ? event.from.name : null)

/** Returns the provider's id of the message that this one refers to. */
export const answeredMessageId = ({ content, replyTo }: MessageEvent | EchoEvent): string | null => {
  if (content.kind === "reaction") return content.to
  return content.kind === "edit" || content.kind === "revocation" ? content.of : replyTo
}

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
