import type { SourceEvent } from "./SourceEvent.ts"
import type { Trigger, TriggerEvent } from "./Trigger.ts"

/** What has happened by an event, as triggers name it; `null` if nothing begins on it. Clocks count from other events. */
export const triggerEventOf = (event: SourceEvent): TriggerEvent | null => {
  switch (event.type) {
    case "message.received":
    case "contact.tagged":
    case "order.created":
    case "order.paid":
    case "order.fulfilled":
    case "order.cancelled":
    case "order.refunded":
    case "broadcast.replied":
      return event.type
    case "contact.created":
      return event.imported === true ? null : event.type
    case "contact.consent_changed":
      return event.purpose === "marketing" && event.to === "unsubscribed" && event.through === undefined
        ? "contact.opted_out"
        : null
    case "conversation.opened":
      return event.status === "resolved" ? null : event.type
    case "conversation.status_changed":
      if (event.to === "resolved") return "conversation.resolved"
      return event.from === "resolved" ? "conversation.opened" : null
    default:
      return null
  }
}

const among = (wanted: ReadonlyArray<string> | undefined, found: ReadonlyArray<string>): boolean =>
  wanted === undefined || wanted.some((each) => found.includes(each))

const idIn = (event: SourceEvent, name: string): ReadonlyArray<string> => {
  const id: unknown = Reflect.get(event, name)
  return typeof id === "string" ? [id] : []
}

/** Whether what a trigger is narrowed by is met by an event. */
export const isMetBy = (trigger: Trigger, event: SourceEvent): boolean => {
  switch (trigger.event) {
    case "message.received":
    case "conversation.opened":
    case "conversation.resolved":
      return among(trigger.chatAccountIds, idIn(event, "chatAccountId"))
    case "contact.tagged":
      return among(trigger.tagIds, event.type === "contact.tagged" ? event.tagIds : [])
    case "broadcast.replied":
      return among(trigger.broadcastIds, idIn(event, "broadcastId"))
    case "order.created":
    case "order.paid":
    case "order.fulfilled":
    case "order.cancelled":
    case "order.refunded":
    case "cart.abandoned":
      return among(trigger.storeConnectionIds, idIn(event, "storeConnectionId"))
    case "conversation.idle":
    case "contact.created":
    case "contact.opted_out":
      return true
  }
}
