import type { SourceEvent } from "../../triggers/SourceEvent.ts"

/** The events that may start something, at once or after some time. */
export const startingTypes = [
  "message.received",
  "message.echoed",
  "message.queued",
  "conversation.opened",
  "conversation.status_changed",
  "contact.created",
  "contact.tagged",
  "contact.consent_changed",
  "order.created",
  "order.paid",
  "order.fulfilled",
  "order.cancelled",
  "order.refunded",
  "cart.abandoned",
  "broadcast.replied"
] as const satisfies ReadonlyArray<SourceEvent["type"]>
