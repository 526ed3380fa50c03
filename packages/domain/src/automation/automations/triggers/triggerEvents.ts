import type { ActorRef } from "../../../kernel/index.ts"
import { changedContactFields, type SourceEvent, type Trigger, type TriggerEvent } from "./Trigger.ts"

/** Received messages that the contact has not newly written: notices, calls, and changes of earlier messages. */
const unwrittenKinds: ReadonlySet<string> = new Set(["system", "edit", "revocation"])

const isWritten = ({ kind }: Extract<SourceEvent, { readonly type: "message.received" }>) => !unwrittenKinds.has(kind)

/** Trigger that an event matches; `null` if it starts nothing. Timers count from other events. */
export const triggerEventOf = (event: SourceEvent): TriggerEvent | null => {
  switch (event.type) {
    case "message.received":
      return isWritten(event) ? event.type : null
    case "message.status_changed":
      return event.to === "read" || event.to === "failed" ? `message.${event.to}` : null
    case "contact.tagged":
    case "contact.untagged":
    case "note.created":
    case "order.created":
    case "order.paid":
    case "order.fulfilled":
    case "order.cancelled":
    case "order.refunded":
    case "broadcast.replied":
      return event.type
    case "conversation.assigned":
      return event.assigneeId === null ? null : event.type
    case "contact.created":
    case "contact.updated":
      return event.imported === true ? null : event.type
    case "automation.triggered":
      return "webhook.received"
    case "automation.due":
      return event.date === undefined ? "schedule.reached" : "contact.date_reached"
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

/** Whether an event passes the filters of a trigger. */
export const matchesTrigger = (trigger: Trigger, event: SourceEvent): boolean => {
  switch (trigger.event) {
    case "message.received":
    case "conversation.opened":
    case "conversation.resolved":
      return among(trigger.chatAccountIds, idIn(event, "chatAccountId"))
    case "conversation.assigned":
      return among(trigger.assigneeIds, idIn(event, "assigneeId"))
    case "contact.updated":
      return among(trigger.fields, changedContactFields(event))
    case "contact.tagged":
    case "contact.untagged":
      return among(trigger.tagIds, "tagIds" in event ? event.tagIds : [])
    case "broadcast.replied":
      return among(trigger.broadcastIds, idIn(event, "broadcastId"))
    case "order.created":
    case "order.paid":
    case "order.fulfilled":
    case "order.cancelled":
    case "order.refunded":
    case "cart.abandoned":
      return among(trigger.storeConnectionIds, idIn(event, "storeConnectionId"))
    case "message.read":
    case "message.failed":
    case "conversation.idle":
    case "note.created":
    case "contact.created":
    case "contact.opted_out":
    case "webhook.received":
    case "schedule.reached":
    case "contact.date_reached":
      return true
  }
}

/** Event with its actor. */
export interface AuthoredEvent {
  readonly event: SourceEvent
  readonly actor: ActorRef
}

/** Author side of a message; `null` for other events and for automatic messages. */
export const messageAuthor = ({ actor, event }: AuthoredEvent): "contact" | "team" | null => {
  if (event.type === "message.received") return isWritten(event) ? "contact" : null
  if (event.type === "message.echoed") return "team"
  return event.type === "message.queued" && actor.kind === "user" ? "team" : null
}

type EventType = SourceEvent["type"]

const typesOf: Readonly<Record<TriggerEvent, ReadonlyArray<EventType>>> = {
  "message.received": ["message.received"],
  "message.read": ["message.status_changed"],
  "message.failed": ["message.status_changed"],
  "conversation.opened": ["conversation.opened", "conversation.status_changed"],
  "conversation.resolved": ["conversation.status_changed"],
  "conversation.assigned": ["conversation.assigned"],
  "conversation.idle": ["message.received", "message.echoed", "message.queued"],
  "contact.created": ["contact.created"],
  "contact.updated": ["contact.updated"],
  "contact.tagged": ["contact.tagged"],
  "contact.untagged": ["contact.untagged"],
  "contact.opted_out": ["contact.consent_changed"],
  "note.created": ["note.created"],
  "order.created": ["order.created"],
  "order.paid": ["order.paid"],
  "order.fulfilled": ["order.fulfilled"],
  "order.cancelled": ["order.cancelled"],
  "order.refunded": ["order.refunded"],
  "cart.abandoned": ["cart.abandoned"],
  "broadcast.replied": ["broadcast.replied"],
  "webhook.received": ["automation.triggered"],
  "schedule.reached": ["automation.due"],
  "contact.date_reached": ["automation.due"]
}

/** Types of the log events that start the trigger, or that its timer counts from. */
export const sourceEventTypes = ({ event }: Trigger): ReadonlyArray<EventType> => typesOf[event]

/** Whether the event starts the trigger, or its timer counts from the event. */
export const isTriggerSource = (trigger: Trigger, done: AuthoredEvent): boolean => {
  if (trigger.event === "conversation.idle") {
    const by = messageAuthor(done)
    return by !== null && (trigger.lastFrom === undefined || trigger.lastFrom === "any" || trigger.lastFrom === by)
  }
  const isOfIts = trigger.event === "cart.abandoned" || triggerEventOf(done.event) === trigger.event
  return isOfIts && typesOf[trigger.event].includes(done.event.type) && matchesTrigger(trigger, done.event)
}
