import { Effect } from "effect"
import type { OrderId, StoreCustomerId } from "../../commerce/index.ts"
import type { ContactId } from "../../crm/index.ts"
import type { ConversationId, MessageId } from "../../messaging/inbox/index.ts"
import type { LoggedEvent } from "../../platform/events/index.ts"
import type { Edition } from "../AnalyticsBooks.ts"
import { AnalyticsRecords } from "../AnalyticsRecords.ts"
import { addCounts, recountRecords } from "./addCounts.ts"
import { keptAs } from "./conversationCounts.ts"
import { countBroadcasts } from "./countBroadcasts.ts"
import { countOrders, replaceRemoved } from "./countOrders.ts"
import { broadcastIn, eventCounts, type FollowedEvent } from "./eventCounts.ts"
import { countPresence, handedIn } from "./presence.ts"

type Logged = LoggedEvent<FollowedEvent>

const storedIn = ({ event }: Logged): ReadonlyArray<OrderId> => (event.type === "orders.stored" ? event.orderIds : [])

const customerIn = ({ event }: Logged): ReadonlyArray<StoreCustomerId> =>
  event.type === "customer.linked" || event.type === "customer.unlinked" ? [event.storeCustomerId] : []

const contactsIn = (logged: Logged): ReadonlyArray<ContactId> =>
  logged.event.type === "broadcast.replied" ? [logged.event.contactId] : handedIn(logged)

const distinct = <Id>(ids: Iterable<Id>) => [...new Set(ids)]

/** The orders that come to something else by these events, or of which another broadcast may have the credit than in this edition. */
const ordersIn = Effect.fnUntraced(function* (
  edition: Edition,
  events: ReadonlyArray<Logged>,
  attributionHours: number
) {
  const records = yield* AnalyticsRecords
  return distinct([
    ...events.flatMap(storedIn),
    ...(yield* records.ordersOf(distinct(events.flatMap(customerIn)), distinct(events.flatMap(contactsIn)))),
    ...(yield* records.ordersTouchedBy(distinct(events.flatMap(broadcastIn)), attributionHours, edition))
  ])
})

const messageOf = ({ event }: Logged): ReadonlyArray<MessageId> => {
  switch (event.type) {
    case "message.received":
    case "message.echoed":
    case "message.queued":
    case "message.status_changed":
    case "message.updated":
      return [event.messageId]
    default:
      return []
  }
}

/** Messages that were accepted, and have failed after it: what they had ended, others may end now. */
const lostMessageOf = ({ event }: Logged): ReadonlyArray<MessageId> =>
  event.type === "message.status_changed" && event.from === "sent" && event.to === "failed" ? [event.messageId] : []

const conversationOf = ({ event }: Logged): ReadonlyArray<ConversationId> => {
  switch (event.type) {
    case "conversation.opened":
      return [event.conversationId]
    case "conversation.status_changed":
      return event.from === "resolved" || event.to === "resolved" ? [event.conversationId] : []
    case "conversation.updated":
      return event.fields.includes("firstRepliedAt") ? [event.conversationId] : []
    default:
      return []
  }
}

const countEventsDistinct = <Id>(ids: ReadonlyArray<Id>) => [...new Set(ids)]

/** Into which edition events are counted, and how. */
export interface Counting {
  readonly edition: Edition
  /** The edition that is read, and says what there was of records that are gone. */
  readonly standing: Edition
  readonly timezone: string
  readonly attributionHours: number
  /** By themselves only those events count that come after this position. */
  readonly counted: number
  /** Up to this position, orders are counted whatever the events say of them. */
  readonly ordersCounted: number
}

/**
 * Counts what events are about as it is now, and what they tell by themselves. Events that come again change nothing of the records that
 * they are about; those that are gone by now stay counted as they were, in the edition that stands.
 */
export const countEvents = Effect.fnUntraced(function* (
  { attributionHours, counted, edition, ordersCounted, standing, timezone }: Counting,
  events: ReadonlyArray<Logged>
) {
  const records = yield* AnalyticsRecords
  const heirs = yield* records.answersBeside(countEventsDistinct(events.flatMap(lostMessageOf)))
  const messages = yield* records.messages(countEventsDistinct([...events.flatMap(messageOf), ...heirs]))
  const conversations = yield* records.conversations(countEventsDistinct(events.flatMap(conversationOf)))
  const fresh = events.filter(({ position }) => position > counted)
  const changes = yield* recountRecords(edition, keptAs({ messages, conversations }))
  const active = yield* countPresence(edition, timezone, messages, countEventsDistinct(events.flatMap(handedIn)))
  const ofBroadcasts = yield* countBroadcasts(edition, standing, countEventsDistinct(events.flatMap(broadcastIn)))
  // After the recipients were read: who reads a message between the two is counted with the next ones, the order too.
  const orderIds = yield* ordersIn(
    edition,
    events.filter(({ position }) => position > ordersCounted),
    attributionHours
  )
  // An edition under construction gets the erased counts at its end.
  if (edition === standing) yield* replaceRemoved({ edition, timezone }, orderIds)
  const ofOrders = yield* countOrders(edition, standing, attributionHours, orderIds)
  const byThemselves = fresh.flatMap(eventCounts)
  yield* addCounts(edition, timezone, [...changes, ...active, ...ofBroadcasts, ...ofOrders, ...byThemselves])
})
