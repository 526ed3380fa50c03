import { DateTime, Effect } from "effect"
import { type ReceivedEvent, type ChatAccountId, ChatAccounts, type InboundEvent } from "../../chat/index.ts"
import type { SenderIds } from "./ContactResolver.ts"

/** Something that a contact did, or that happened to a message, as the provider reports it. */
export type ContactEvent = ReceivedEvent<
  Extract<InboundEvent, { readonly kind: "message" | "echo" | "receipt" | "preference" }>
>

/** A contact has written. */
export type MessageEvent = Extract<ContactEvent, { readonly kind: "message" }>

/** The business has written elsewhere. */
export type EchoEvent = Extract<ContactEvent, { readonly kind: "echo" }>

/** Something became of a message that went out. */
export type ReceiptEvent = Extract<ContactEvent, { readonly kind: "receipt" }>

/** A contact has said what they want to get. */
export type PreferenceEvent = Extract<ContactEvent, { readonly kind: "preference" }>

/** The person that an event is about; `null` for receipts, which create no contacts. */
export const eventSender = (event: ContactEvent): SenderIds | null =>
  event.kind === "receipt" ? null : event.kind === "echo" ? event.to : event.from

/** The name of that person, if the event has one. */
export const eventSenderName = (event: ContactEvent) => (event.kind === "message" ? event.from.name : null)

/** The provider's id of the message that this one is about. */
export const answeredMessageId = ({ content, replyTo }: MessageEvent | EchoEvent): string | null => {
  if (content.kind === "reaction") return content.to
  return content.kind === "edit" || content.kind === "revocation" ? content.of : replyTo
}

/** The time of an event, which is never after the arrival of its delivery. */
export const occurredAt = ({ arrival, at }: ContactEvent): DateTime.Utc => DateTime.min(at, arrival.at)

/**
 * The organization's accounts that events are about, and the events that belong to them. Events from before a number was removed
 * still count when they are applied later; events from after that belong to nobody.
 */
export const matchAccounts = Effect.fnUntraced(function* (provider: string, events: ReadonlyArray<ContactEvent>) {
  const chatAccounts = yield* ChatAccounts
  const numbers = new Set(events.map(({ phoneId }) => phoneId))
  const accounts = new Map<string, ChatAccountId>()
  for (const { externalPhoneId, id } of yield* chatAccounts.findByNumber(provider, [...numbers]))
    accounts.set(externalPhoneId, id)
  if (accounts.size === numbers.size) return { accounts, heard: events }
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
  return { accounts, heard }
})
