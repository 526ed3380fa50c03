import type { OutgoingMessage, OutgoingContent, Recipient } from "@parley/domain/messaging"
import { freshText } from "../../given.ts"

/** An outgoing message with a unique reference. */
export const message = (
  to: Recipient,
  content: OutgoingContent,
  overrides: Partial<OutgoingMessage> = {}
): OutgoingMessage => ({
  to,
  content,
  replyTo: null,
  reference: freshText("reference"),
  ...overrides
})

/** A text that goes out. */
export const text = (to: Recipient, overrides: Partial<OutgoingMessage> = {}): OutgoingMessage =>
  message(to, { kind: "text", text: "Your order is on its way 🥐" }, overrides)

/** The bytes of a file. */
export const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => index % 251)
