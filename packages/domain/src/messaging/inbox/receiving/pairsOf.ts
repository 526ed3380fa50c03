import type { DateTime } from "effect"
import type { Pair } from "../Conversations.ts"
import { resolveCompleteSenders } from "./resolveCompleteSenders.ts"
import type { LoadedState } from "./LoadedState.ts"
import { ContactResolver } from "./ContactResolver.ts"
import { nameIn, type PersonalEvent } from "./PersonalEvent.ts"

/** One text for each contact and number. */
export const pairKey = ({ chatAccountId, contactId }: Pair) => `${contactId} ${chatAccountId}`

/** The contacts and numbers whose conversations these events may be about, of contacts that there are already. */
export const pairsOf = (
  known: Pick<LoadedState, "accounts" | "contacts" | "optOuts">,
  events: ReadonlyArray<PersonalEvent>,
  now: DateTime.Utc,
  nextId: () => string
): ReadonlyArray<Pair> => {
  const resolver = new ContactResolver(known.contacts, known.optOuts, now, nextId)
  resolveCompleteSenders(resolver, known, events)
  const pairs = new Map<string, Pair>()
  for (const event of events) {
    const chatAccountId = known.accounts.get(event.phoneId)
    if ((event.kind !== "message" && event.kind !== "echo") || chatAccountId === undefined) continue
    const contact = resolver.resolve(event.kind === "echo" ? event.to : event.from, nameIn(event))
    if (contact === null) continue
    if (event.content.kind === "system" && event.content.newPhone !== null) {
      resolver.renumber(contact.id, event.content.newPhone)
    }
    const pair = { contactId: contact.id, chatAccountId }
    if (resolver.isStored(contact.id)) pairs.set(pairKey(pair), pair)
  }
  return [...pairs.values()]
}
