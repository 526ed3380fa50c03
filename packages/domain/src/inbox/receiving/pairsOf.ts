import type { DateTime } from "effect"
import type { Pair } from "../Conversations.ts"
import { introduce } from "./introduce.ts"
import type { KnownToReceiving } from "./KnownToReceiving.ts"
import { Meeting } from "./Meeting.ts"
import { nameIn, type PersonalEvent } from "./PersonalEvent.ts"

/** One text for each contact and number. */
export const pairKey = ({ chatAccountId, contactId }: Pair) => `${contactId} ${chatAccountId}`

/** The contacts and numbers whose conversations these events may be about, of contacts that there are already. */
export const pairsOf = (
  known: Pick<KnownToReceiving, "accounts" | "contacts" | "optOuts">,
  events: ReadonlyArray<PersonalEvent>,
  now: DateTime.Utc,
  nextId: () => string
): ReadonlyArray<Pair> => {
  const meeting = new Meeting(known.contacts, known.optOuts, now, nextId)
  introduce(meeting, known, events)
  const pairs = new Map<string, Pair>()
  for (const event of events) {
    const chatAccountId = known.accounts.get(event.phoneId)
    if ((event.kind !== "message" && event.kind !== "echo") || chatAccountId === undefined) continue
    const contact = meeting.meet(event.kind === "echo" ? event.to : event.from, nameIn(event))
    if (contact === null) continue
    if (event.content.kind === "system" && event.content.newPhone !== null) {
      meeting.renumber(contact.id, event.content.newPhone)
    }
    const pair = { contactId: contact.id, chatAccountId }
    if (meeting.isStored(contact.id)) pairs.set(pairKey(pair), pair)
  }
  return [...pairs.values()]
}
