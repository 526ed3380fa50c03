import { DateTime, Effect } from "effect"
import type { ContactId } from "../../crm/index.ts"
import type { LoggedEvent } from "../../platform/events/index.ts"
import type { ConversationId } from "../../messaging/inbox/index.ts"
import { AnalyticsBooks, type Edition, type Presence } from "../AnalyticsBooks.ts"
import { AnalyticsRecords, type MessageRecord } from "../AnalyticsRecords.ts"
import { type Count, takenBack } from "../Count.ts"
import { quarterOf } from "../time/quarters.ts"
import { activeCounts } from "./activeCounts.ts"
import type { FollowedEvent } from "./eventCounts.ts"
import { messageCounts } from "./messageCounts.ts"

/** The contacts whose conversations an event has handed to another one, or back. */
export const handedIn = ({ event }: LoggedEvent<FollowedEvent>): ReadonlyArray<ContactId> => {
  switch (event.type) {
    case "contact.merged":
      return [event.contactId, event.mergedId]
    case "contact.unmerged":
      return [event.contactId, event.restoredId]
    default:
      return []
  }
}

const keyOf = ({ conversationId, quarter }: Presence) => `${conversationId} ${quarter}`

const distinct = <Id>(ids: Iterable<Id>) => [...new Set(ids)]

/** Whose conversations these are: as it is now where contacts were merged or parted, and else as it was counted before. */
const ownersOf = Effect.fnUntraced(function* (
  edition: Edition,
  conversationIds: ReadonlyArray<ConversationId>,
  handed: ReadonlyArray<ContactId>
) {
  const records = yield* AnalyticsRecords
  const moved = yield* records.owners([], handed)
  const holders = yield* (yield* AnalyticsBooks).holders(edition, distinct([...conversationIds, ...moved.keys()]))
  const owners = new Map([...(yield* records.owners(conversationIds, [])), ...holders, ...moved])
  return { contactIds: distinct([...handed, ...holders.values(), ...owners.values()]), moved, owners }
})

/**
 * Notes when contacts have written what is in these messages, and to whom what was written belongs now. What it comes to is not added
 * yet.
 */
export const countPresence = Effect.fnUntraced(function* (
  edition: Edition,
  timezone: string,
  messages: ReadonlyArray<MessageRecord>,
  handed: ReadonlyArray<ContactId>
) {
  const written = messages.filter((message) => message.direction === "inbound" && messageCounts(message).length > 0)
  if (written.length === 0 && handed.length === 0) return []
  const books = yield* AnalyticsBooks
  const conversationIds = distinct(written.map(({ conversationId }) => conversationId))
  const { contactIds, moved, owners } = yield* ownersOf(edition, conversationIds, handed)
  const before = yield* books.presence(edition, contactIds)
  const after = new Map(
    before.map((each) => [keyOf(each), { ...each, contactId: moved.get(each.conversationId) ?? each.contactId }])
  )
  for (const { at, conversationId } of written) {
    const contactId = owners.get(conversationId)
    if (contactId === undefined) continue
    const presence = { contactId, conversationId, quarter: quarterOf(at) }
    after.set(keyOf(presence), presence)
  }
  const known = new Map(before.map((each) => [keyOf(each), each.contactId]))
  const changed = [...after.values()].filter((each) => known.get(keyOf(each)) !== each.contactId)
  if (changed.length === 0) return []
  yield* books.savePresence(edition, changed)
  const zone = DateTime.zoneMakeNamedUnsafe(timezone)
  const counts: ReadonlyArray<Count> = [
    ...takenBack(activeCounts(before, zone)),
    ...activeCounts([...after.values()], zone)
  ]
  return counts
})
