import { Effect } from "effect"
import type { OrderId, StoreCustomerId } from "../../commerce/index.ts"
import type { ContactId } from "../../crm/index.ts"
import type { ConversationId, MessageId } from "../../messaging/inbox/index.ts"
import type { LoggedEvent } from "../../platform/events/index.ts"
import type { RollupVersion } from "../RollupStore.ts"
import { AnalyticsRecords } from "../AnalyticsRecords.ts"
import { addCounts, recountRecords } from "./addCounts.ts"
import { countRecords } from "./conversationCounts.ts"
import { countBroadcasts } from "./countBroadcasts.ts"
import { countOrders, replaceRemoved } from "./countOrders.ts"
import { broadcastIdsIn, eventCounts, type ConsumedEvent } from "./eventCounts.ts"
import { countActivity, transferredContactIds } from "./contactActivity.ts"

type LoggedConsumedEvent = LoggedEvent<ConsumedEvent>

const storedOrderIds = ({ event }: LoggedConsumedEvent): ReadonlyArray<OrderId> =>
  event.type === "orders.stored" ? event.orderIds : []

const customerIdsIn = ({ event }: LoggedConsumedEvent): ReadonlyArray<StoreCustomerId> =>
  event.type === "customer.linked" || event.type === "customer.unlinked" ? [event.storeCustomerId] : []

const contactIdsIn = (logged: LoggedConsumedEvent): ReadonlyArray<ContactId> =>
  logged.event.type === "broadcast.replied" ? [logged.event.contactId] : transferredContactIds(logged)

const distinct = <Id>(ids: Iterable<Id>) => [...new Set(ids)]

/** Finds the orders whose counts change by these events, or whose attribution can differ from this rollup version. */
const findAffectedOrders = Effect.fnUntraced(function* (
  version: RollupVersion,
  events: ReadonlyArray<LoggedConsumedEvent>,
  attributionHours: number
) {
  const records = yield* AnalyticsRecords
  return distinct([
    ...events.flatMap(storedOrderIds),
    ...(yield* records.ordersOf(distinct(events.flatMap(customerIdsIn)), distinct(events.flatMap(contactIdsIn)))),
    ...(yield* records.ordersTouchedBy(distinct(events.flatMap(broadcastIdsIn)), attributionHours, version))
  ])
})

const messageIdsIn = ({ event }: LoggedConsumedEvent): ReadonlyArray<MessageId> => {
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

/** Returns accepted messages that failed later. Other messages can end the waits that these had ended. */
const failedMessageIdsIn = ({ event }: LoggedConsumedEvent): ReadonlyArray<MessageId> =>
  event.type === "message.status_changed" && event.from === "sent" && event.to === "failed" ? [event.messageId] : []

const conversationIdsIn = ({ event }: LoggedConsumedEvent): ReadonlyArray<ConversationId> => {
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

const distinctIds = <Id>(ids: ReadonlyArray<Id>) => [...new Set(ids)]

/** Target rollup version and settings of a count. */
export interface CountingContext {
  readonly version: RollupVersion
  /** Current rollup version, which has the counts of deleted records. */
  readonly currentVersion: RollupVersion
  readonly timezone: string
  readonly attributionHours: number
  /** Events are counted themselves only after this position. */
  readonly counted: number
  /** Up to this position, orders are already counted and their events are skipped. */
  readonly ordersCounted: number
}

/**
 * Counts the current records of events, and the events themselves. A repeated event does not change the counts of its records. Deleted records keep
 * their counts from the current rollup version.
 */
export const countEvents = Effect.fnUntraced(function* (
  { attributionHours, counted, version, ordersCounted, currentVersion, timezone }: CountingContext,
  events: ReadonlyArray<LoggedConsumedEvent>
) {
  const records = yield* AnalyticsRecords
  const heirs = yield* records.answersBeside(distinctIds(events.flatMap(failedMessageIdsIn)))
  const messages = yield* records.messages(distinctIds([...events.flatMap(messageIdsIn), ...heirs]))
  const conversations = yield* records.conversations(distinctIds(events.flatMap(conversationIdsIn)))
  const fresh = events.filter(({ position }) => position > counted)
  const changes = yield* recountRecords(version, countRecords({ messages, conversations }))
  const active = yield* countActivity(version, timezone, messages, distinctIds(events.flatMap(transferredContactIds)))
  const ofBroadcasts = yield* countBroadcasts(version, currentVersion, distinctIds(events.flatMap(broadcastIdsIn)))
  // Runs after the read of recipients. If a message is read between the two reads, the next events count it and its order.
  const orderIds = yield* findAffectedOrders(
    version,
    events.filter(({ position }) => position > ordersCounted),
    attributionHours
  )
  // A rollup version under construction gets the erased counts at its end.
  if (version === currentVersion) yield* replaceRemoved({ version, timezone }, orderIds)
  const ofOrders = yield* countOrders(version, currentVersion, attributionHours, orderIds)
  const byThemselves = fresh.flatMap(eventCounts)
  yield* addCounts(version, timezone, [...changes, ...active, ...ofBroadcasts, ...ofOrders, ...byThemselves])
})
