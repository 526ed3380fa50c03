import { occurredAt } from "./occurredAt.ts"
import type { PreferenceEvent } from "./PersonalEvent.ts"
import type { InboundBatch } from "./InboundBatch.ts"

/** Stores the contact's consent to marketing, whichever account it was sent to. */
export const receivePreference = (batch: InboundBatch, event: PreferenceEvent): void => {
  const { from, marketing } = event
  const contact = batch.contacts.resolve(from, null)
  if (contact === null) {
    batch.ignore()
    return
  }
  const state = marketing === "stop" ? "unsubscribed" : "subscribed"
  batch.contacts.recordConsent(contact.id, { state, source: "chat_preferences", evidence: null, at: occurredAt(event) })
}
