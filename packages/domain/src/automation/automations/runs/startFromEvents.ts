import { DateTime, Effect } from "effect"
import type { ContactId } from "../../../crm/index.ts"
import type { LoggedEvent } from "../../../platform/events/index.ts"
import { holdReason, StoredAutomationSettings } from "../AutomationSettings.ts"
import { Automations, type EnabledAutomation } from "../Automations.ts"
import { automationTimers } from "../timers/timerLanes.ts"
import { setTimers } from "../timers/setTimers.ts"
import { isAddressedTo, isBulkEvent, type SourceEvent, type TriggerEvent } from "../triggers/Trigger.ts"
import { matchesTrigger, triggerEventOf } from "../triggers/triggerEvents.ts"
import { isWithinStartWindow, buildAutomationRun, eligibleContacts, eventContact } from "./newRuns.ts"
import { startRuns } from "./savedRuns.ts"
import { startCausation } from "./startCausation.ts"

/** Events that can start a run, immediately or after a time. */
export const startingTypes = [
  "message.received",
  "message.echoed",
  "message.queued",
  "message.status_changed",
  "conversation.opened",
  "conversation.status_changed",
  "conversation.assigned",
  "note.created",
  "contact.created",
  "contact.updated",
  "contact.tagged",
  "contact.untagged",
  "contact.consent_changed",
  "order.created",
  "order.paid",
  "order.fulfilled",
  "order.cancelled",
  "order.refunded",
  "cart.abandoned",
  "broadcast.replied",
  "automation.triggered",
  "automation.due"
] as const satisfies ReadonlyArray<SourceEvent["type"]>

type LoggedSourceEvent = LoggedEvent<SourceEvent>

/**
 * Identifies the start within the automation. A due time starts one run per contact, also if it is logged twice. A date starts one run per contact,
 * also if the time of the start or the time zone of the contact changes on that day.
 */
const startKeyOf = ({ event, position }: LoggedSourceEvent): string =>
  event.type === "automation.due" ? `${event.date ?? event.dueAt}:${event.contactId}` : String(position)

/** Loads the enabled automations by trigger. */
const enabledOn = Effect.fnUntraced(function* (triggers: ReadonlySet<TriggerEvent>) {
  const automations = yield* Automations
  const found = new Map<TriggerEvent, ReadonlyArray<EnabledAutomation>>()
  for (const trigger of triggers) found.set(trigger, yield* automations.enabledOn(trigger))
  return found
})

/** Matches events to automations. */
const matchAutomations = Effect.fnUntraced(function* (events: ReadonlyArray<LoggedSourceEvent>) {
  const triggers = events.flatMap((logged) => {
    const trigger = isBulkEvent(logged.event) ? null : triggerEventOf(logged.event)
    return trigger === null ? [] : [{ logged, trigger }]
  })
  const enabled = yield* enabledOn(new Set(triggers.map(({ trigger }) => trigger)))
  return triggers.flatMap(({ logged, trigger }) =>
    (enabled.get(trigger) ?? [])
      .filter(
        ({ enabledAfter, id, when }) =>
          logged.position > enabledAfter && matchesTrigger(when, logged.event) && isAddressedTo(logged.event, id)
      )
      .map((automation) => ({ logged, automation }))
  )
})

/** Finds the contacts of these events that runs can start for. */
const findEligibleContacts = Effect.fnUntraced(function* (events: ReadonlySet<LoggedSourceEvent>) {
  const whose = yield* Effect.forEach(events, (logged) =>
    Effect.map(eventContact(logged), (contactId) => ({ logged, contactId }))
  )
  const known = yield* eligibleContacts(whose.flatMap(({ contactId }) => contactId ?? []))
  const found = new Map<LoggedSourceEvent, ContactId>()
  for (const { contactId, logged } of whose) {
    const meant = contactId === null ? undefined : known.get(contactId)
    if (meant !== undefined) found.set(logged, meant)
  }
  return found
})

/**
 * Starts a run of each matching automation, and sets the timers that count from these events. Events during a hold
 * never start a run.
 */
export const startFromEvents = Effect.fnUntraced(function* (logged: ReadonlyArray<LoggedSourceEvent>) {
  const now = yield* DateTime.now
  const fresh = logged.filter(({ at }) => isWithinStartWindow(at, now))
  if (fresh.length === 0 || (yield* holdReason) !== null) return
  const resumedAfter = yield* (yield* StoredAutomationSettings).resumedAfter()
  const events = fresh.filter(({ position }) => position > resumedAfter)
  yield* setTimers(automationTimers, events)
  const found = yield* matchAutomations(events)
  if (found.length === 0) return
  const contacts = yield* findEligibleContacts(new Set(found.map((each) => each.logged)))
  const runs = found.map(
    Effect.fnUntraced(function* ({ automation, logged: source }) {
      const contactId = contacts.get(source)
      if (contactId === undefined) return []
      const { event, position } = source
      const causation = yield* startCausation(source)
      const start = { key: startKeyOf(source), event: { position, type: event.type }, contactId, causation }
      return [yield* buildAutomationRun(automation, start)]
    })
  )
  yield* startRuns((yield* Effect.all(runs)).flat())
})
