import type { Arrived, InboundEvent } from "../../chat/index.ts"
import type { SenderIds } from "./ContactResolver.ts"

/** Something that a contact did, or that happened to a message, as the provider reports it. */
export type PersonalEvent = Arrived<
  Extract<InboundEvent, { readonly kind: "message" | "echo" | "receipt" | "preference" }>
>

/** A contact has written. */
export type MessageEvent = Extract<PersonalEvent, { readonly kind: "message" }>

/** The business has written elsewhere. */
export type EchoEvent = Extract<PersonalEvent, { readonly kind: "echo" }>

/** Something became of a message that went out. */
export type ReceiptEvent = Extract<PersonalEvent, { readonly kind: "receipt" }>

/** A contact has said what they want to get. */
export type PreferenceEvent = Extract<PersonalEvent, { readonly kind: "preference" }>

/** The person that an event is about; `null` for receipts, which create no contacts. */
export const personOf = (event: PersonalEvent): SenderIds | null =>
  event.kind === "receipt" ? null : event.kind === "echo" ? event.to : event.from

/** The name of that person, if the event has one. */
export const nameIn = (event: PersonalEvent) => (event.kind === "message" ? event.from.name : null)

/** The provider's id of the message that this one is about. */
export const answeredBy = ({ content, replyTo }: MessageEvent | EchoEvent): string | null => {
  if (content.kind === "reaction") return content.to
  return content.kind === "edit" || content.kind === "revocation" ? content.of : replyTo
}
