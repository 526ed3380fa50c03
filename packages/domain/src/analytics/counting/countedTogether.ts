import type { LoggedEvent } from "../../platform/events/index.ts"
import type { FollowedEvent } from "./eventCounts.ts"

/** How many orders are counted in one unit of work: they take about a second. */
const mostOrders = 2_000

/** As many of these events as are counted in one unit of work, one at least: an import tells of very many orders by few events. */
export const countedTogether = <Event extends LoggedEvent<FollowedEvent>>(
  events: ReadonlyArray<Event>,
  ordersCounted: number
): ReadonlyArray<Event> => {
  let orders = 0
  const rest = events.findIndex(({ event, position }, place) => {
    if (event.type === "orders.stored" && position > ordersCounted) orders += event.orderIds.length
    return place > 0 && orders > mostOrders
  })
  return rest === -1 ? events : events.slice(0, rest)
}
