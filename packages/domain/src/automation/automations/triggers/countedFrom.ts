import type { SourceEvent } from "./SourceEvent.ts"
import type { Trigger, TriggerEvent } from "./Trigger.ts"
import { isMetBy, triggerEventOf } from "./triggerEventOf.ts"
import { type Done, writtenBy } from "./writtenBy.ts"

type EventType = SourceEvent["type"]

const typesOf: Readonly<Record<TriggerEvent, ReadonlyArray<EventType>>> = {
  "message.received": ["message.received"],
  "conversation.opened": ["conversation.opened", "conversation.status_changed"],
  "conversation.resolved": ["conversation.status_changed"],
  "conversation.idle": ["message.received", "message.echoed", "message.queued"],
  "contact.created": ["contact.created"],
  "contact.tagged": ["contact.tagged"],
  "contact.opted_out": ["contact.consent_changed"],
  "order.created": ["order.created"],
  "order.paid": ["order.paid"],
  "order.fulfilled": ["order.fulfilled"],
  "order.cancelled": ["order.cancelled"],
  "order.refunded": ["order.refunded"],
  "cart.abandoned": ["cart.abandoned"],
  "broadcast.replied": ["broadcast.replied"]
}

/** The types of the events in the log that it begins on, or that its clock counts from. */
export const typesCountedFrom = ({ event }: Trigger): ReadonlyArray<EventType> => typesOf[event]

/** Whether it begins on this event, or its clock counts from it. */
export const isCountedFrom = (trigger: Trigger, done: Done): boolean => {
  if (trigger.event === "conversation.idle") {
    const by = writtenBy(done)
    return by !== null && (trigger.lastFrom === undefined || trigger.lastFrom === "any" || trigger.lastFrom === by)
  }
  const isOfIts = trigger.event === "cart.abandoned" || triggerEventOf(done.event) === trigger.event
  return isOfIts && typesOf[trigger.event].includes(done.event.type) && isMetBy(trigger, done.event)
}
