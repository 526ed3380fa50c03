import { pastOf } from "./pastOf.ts"
import type { PreferenceEvent } from "./PersonalEvent.ts"
import type { Receiving } from "./Receiving.ts"

/** What a contact has said about marketing is kept of them, whatever account it was said to. */
export const receivePreference = (receiving: Receiving, event: PreferenceEvent): void => {
  const { from, marketing } = event
  const contact = receiving.meeting.meet(from, null)
  if (contact === null) {
    receiving.ignore()
    return
  }
  const state = marketing === "stop" ? "unsubscribed" : "subscribed"
  receiving.meeting.tell(contact.id, { state, source: "chat_preferences", evidence: null, at: pastOf(event) })
}
