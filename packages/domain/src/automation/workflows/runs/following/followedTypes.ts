import type { SourceEvent } from "../../../automations/index.ts"

/** What leads runs by events is called among the subscribers. */
export const followingName = "workflows.follow_contacts"

/** The events that may begin runs, wake them or bring them to their goals: what happens to contacts. */
export const followedTypes = [
  "message.received",
  "message.echoed",
  "message.queued",
  "conversation.opened",
  "conversation.status_changed",
  "conversation.assigned",
  "conversation.updated",
  "contact.created",
  "contact.updated",
  "contact.tagged",
  "contact.untagged",
  "contact.consent_changed",
  "customer.linked",
  "customer.unlinked",
  "order.created",
  "order.paid",
  "order.fulfilled",
  "order.cancelled",
  "order.refunded",
  "cart.abandoned",
  "cart.recovered",
  "broadcast.replied"
] as const satisfies ReadonlyArray<SourceEvent["type"]>
