import { Schema } from "effect"
import { type BroadcastId, CampaignEvent } from "../../campaigns/index.ts"
import { OrdersStored, StoreEvent } from "../../commerce/index.ts"
import { CrmEvent } from "../../crm/index.ts"
import type { ChatAccountId } from "../../messaging/chat/index.ts"
import { InboxEvent } from "../../messaging/inbox/index.ts"
import { type LoggedEvent, makeEventDecoder } from "../../platform/events/index.ts"
import { IdentityEvent } from "../../platform/identity/index.ts"
import { type Count, type CountedLevel, countOne, toQuarterHour, wholeOrganization } from "../Count.ts"

/** Consumed events. */
export type ConsumedEvent = CampaignEvent | CrmEvent | IdentityEvent | InboxEvent | StoreEvent | OrdersStored

const scopesOf = (chatAccountId: ChatAccountId | undefined) =>
  chatAccountId === undefined ? [wholeOrganization] : [wholeOrganization, chatAccountId]

/** Returns the changes in open conversations and waiting contacts by an event. */
const levelCounts = ({ at, event }: LoggedEvent<ConsumedEvent>): ReadonlyArray<Count> => {
  const levels: Array<readonly [figure: CountedLevel, by: number]> = []
  if (event.type === "conversation.opened" && (event.status ?? "open") === "open")
    levels.push(["conversations.open", 1])
  if (event.type === "conversation.status_changed" && event.from === "open") levels.push(["conversations.open", -1])
  if (event.type === "conversation.status_changed" && event.to === "open") levels.push(["conversations.open", 1])
  if ("awaits" in event && event.awaits !== undefined) {
    levels.push(["conversations.waiting", event.awaits === "begins" ? 1 : -1])
  }
  const scopes = "chatAccountId" in event ? scopesOf(event.chatAccountId) : [wholeOrganization]
  return levels.map(([figure, by]) => countOne(figure, toQuarterHour(at), scopes, by))
}

/** Returns the counts of the event itself, regardless of its record. The log is their source. */
export const eventCounts = ({ at, event, ...logged }: LoggedEvent<ConsumedEvent>): ReadonlyArray<Count> => {
  const quarter = toQuarterHour(at)
  switch (event.type) {
    case "contact.created":
      return [countOne(event.imported ? "contacts.imported" : "contacts.new", quarter, [wholeOrganization])]
    case "contact.consent_changed":
      return event.to === "unsubscribed" && event.from !== "unsubscribed" && event.through === undefined
        ? [countOne("contacts.unsubscribed", quarter, [wholeOrganization])]
        : []
    case "contacts.changed": {
      const { unsubscribed = 0 } = event
      return unsubscribed === 0 ? [] : [countOne("contacts.unsubscribed", quarter, [wholeOrganization], unsubscribed)]
    }
    case "contacts.imported":
      return event.created === 0 ? [] : [countOne("contacts.imported", quarter, [wholeOrganization], event.created)]
    case "broadcast.status_changed":
      return event.to === "sending" && event.from !== "paused"
        ? [countOne("broadcasts.started", quarter, [wholeOrganization])]
        : []
    default:
      return levelCounts({ at, event, ...logged })
  }
}

/** Returns the broadcast whose recipients changed by this event. */
export const broadcastIdsIn = ({ event }: LoggedEvent<ConsumedEvent>): ReadonlyArray<BroadcastId> => {
  switch (event.type) {
    case "broadcast.status_changed":
    case "broadcast.progressed":
    case "broadcast.replied":
      return [event.broadcastId]
    default:
      return []
  }
}

/** Orders per unit of work, which take about a second. */
const maxOrders = 2_000

/** Takes the events of one unit of work, at least one. An import has many orders in few events. */
export const takeCountBatch = <Event extends LoggedEvent<ConsumedEvent>>(
  events: ReadonlyArray<Event>,
  ordersCounted: number
): ReadonlyArray<Event> => {
  let orders = 0
  const rest = events.findIndex(({ event, position }, place) => {
    if (event.type === "orders.stored" && position > ordersCounted) orders += event.orderIds.length
    return place > 0 && orders > maxOrders
  })
  return rest === -1 ? events : events.slice(0, rest)
}

/** Consumed events of all areas. */
export const ConsumedEvents = Schema.Union([
  ...CampaignEvent.members,
  ...CrmEvent.members,
  ...IdentityEvent.members,
  ...InboxEvent.members,
  ...StoreEvent.members,
  OrdersStored
])

/** Decodes consumed events of the log. */
export const readConsumedEvents = makeEventDecoder({ schema: ConsumedEvents })
