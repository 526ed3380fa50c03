import { Effect } from "effect"
import type { LoggedEvent } from "../../platform/events/index.ts"
import type { ContactId } from "../../crm/index.ts"
import type { OrderId, StoreCustomerId } from "../../commerce/index.ts"
import type { Edition } from "../AnalyticsBooks.ts"
import { AnalyticsRecords } from "../AnalyticsRecords.ts"
import { broadcastIn } from "./broadcastIn.ts"
import { handedIn } from "./countPresence.ts"
import type { FollowedEvent } from "./eventCounts.ts"

type Logged = LoggedEvent<FollowedEvent>

const storedIn = ({ event }: Logged): ReadonlyArray<OrderId> => (event.type === "orders.stored" ? event.orderIds : [])

const customerIn = ({ event }: Logged): ReadonlyArray<StoreCustomerId> =>
  event.type === "customer.linked" || event.type === "customer.unlinked" ? [event.storeCustomerId] : []

const contactsIn = (logged: Logged): ReadonlyArray<ContactId> =>
  logged.event.type === "broadcast.replied" ? [logged.event.contactId] : handedIn(logged)

const distinct = <Id>(ids: Iterable<Id>) => [...new Set(ids)]

/** The orders that come to something else by these events, or of which another broadcast may have the credit than in this edition. */
export const ordersIn = Effect.fnUntraced(function* (
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
