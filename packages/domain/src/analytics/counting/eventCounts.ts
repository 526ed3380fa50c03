import { Schema } from "effect"
import { type BroadcastId, CampaignEvent } from "../../campaigns/index.ts"
import { OrdersStored, StoreEvent } from "../../commerce/index.ts"
import { CrmEvent } from "../../crm/index.ts"
import type { ChatAccountId } from "../../messaging/chat/index.ts"
import { InboxEvent } from "../../messaging/inbox/index.ts"
import { type LoggedEvent, readingWith } from "../../platform/events/index.ts"
import { IdentityEvent } from "../../platform/identity/index.ts"
import { type Count, type CountedLevel, once, quarterOf, wholeOrganization } from "../Count.ts"

/** The events that are followed. */
export type FollowedEvent = CampaignEvent | CrmEvent | IdentityEvent | InboxEvent | StoreEvent | OrdersStored

const scopesOf = (chatAccountId: ChatAccountId | undefined) =>
  chatAccountId === undefined ? [wholeOrganization] : [wholeOrganization, chatAccountId]

/** By how much more conversations are open, or more people wait, once this has happened. */
const levelCounts = ({ at, event }: LoggedEvent<FollowedEvent>): ReadonlyArray<Count> => {
  const levels: Array<readonly [figure: CountedLevel, by: number]> = []
  if (event.type === "conversation.opened" && (event.status ?? "open") === "open")
    levels.push(["conversations.open", 1])
  if (event.type === "conversation.status_changed" && event.from === "open") levels.push(["conversations.open", -1])
  if (event.type === "conversation.status_changed" && event.to === "open") levels.push(["conversations.open", 1])
  if ("awaits" in event && event.awaits !== undefined) {
    levels.push(["conversations.waiting", event.awaits === "begins" ? 1 : -1])
  }
  const scopes = "chatAccountId" in event ? scopesOf(event.chatAccountId) : [wholeOrganization]
  return levels.map(([figure, by]) => once(figure, quarterOf(at), scopes, by))
}

/** What an event counts as by itself, whatever becomes of what it is about: the log is the record of it. */
export const eventCounts = ({ at, event, ...logged }: LoggedEvent<FollowedEvent>): ReadonlyArray<Count> => {
  const quarter = quarterOf(at)
  switch (event.type) {
    case "contact.created":
      return [once(event.imported ? "contacts.imported" : "contacts.new", quarter, [wholeOrganization])]
    case "contact.consent_changed":
      return event.to === "unsubscribed" && event.from !== "unsubscribed" && event.through === undefined
        ? [once("contacts.unsubscribed", quarter, [wholeOrganization])]
        : []
    case "contacts.changed": {
      const { unsubscribed = 0 } = event
      return unsubscribed === 0 ? [] : [once("contacts.unsubscribed", quarter, [wholeOrganization], unsubscribed)]
    }
    case "contacts.imported":
      return event.created === 0 ? [] : [once("contacts.imported", quarter, [wholeOrganization], event.created)]
    case "broadcast.status_changed":
      return event.to === "sending" && event.from !== "paused"
        ? [once("broadcasts.started", quarter, [wholeOrganization])]
        : []
    default:
      return levelCounts({ at, event, ...logged })
  }
}

/** The broadcast of which an event tells that its recipients have moved. */
export const broadcastIn = ({ event }: LoggedEvent<FollowedEvent>): ReadonlyArray<BroadcastId> => {
  switch (event.type) {
    case "broadcast.status_changed":
    case "broadcast.progressed":
    case "broadcast.replied":
      return [event.broadcastId]
    default:
      return []
  }
}

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

/** The events of all areas that are followed. */
export const FollowedEvents = Schema.Union([
  ...CampaignEvent.members,
  ...CrmEvent.members,
  ...IdentityEvent.members,
  ...InboxEvent.members,
  ...StoreEvent.members,
  OrdersStored
])

/** Reads logged events that are followed. */
export const readFollowed = readingWith({ schema: FollowedEvents })
