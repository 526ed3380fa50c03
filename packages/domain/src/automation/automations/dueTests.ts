import { DateTime, Effect, Schema } from "effect"
import { lastContactZone } from "../../campaigns/index.ts"
import { type Contact, ContactId, Contacts } from "../../crm/index.ts"
import { invalid, maxTimestamp, Timestamp } from "../../kernel/index.ts"
import { EventLog, type LoggedEvent } from "../../platform/events/index.ts"
import { Organizations } from "../../platform/identity/index.ts"
import type { AutomationId } from "./AutomationId.ts"
import { isClockTrigger, zoneOfTrigger } from "./occurrences/AutomationClocks.ts"
import type { AutomationDue } from "./occurrences/AutomationDue.ts"
import { nextOccurrence } from "./occurrences/cronOccurrences.ts"
import { type DateTrigger, nextContactDate } from "./occurrences/dateOccurrences.ts"
import type { Trigger } from "./triggers/Trigger.ts"

/** Contact and time of an assumed occurrence. */
export const DueTest = Schema.Struct({
  contactId: ContactId.annotateKey({ description: "Id of the contact." }),
  from: Schema.optionalKey(Timestamp)
}).annotate({ identifier: "DueTest" })
export type DueTest = typeof DueTest.Type

/** Next date of a contact; `null` without one. */
const contactDateAfter = Effect.fnUntraced(function* (when: DateTrigger, contact: Contact, from: DateTime.Utc) {
  const value = contact.attributes[when.field]
  if (typeof value !== "string") return null
  const { timezone } = yield* (yield* Organizations).current()
  const zone = when.zone === "contact" ? lastContactZone(contact, timezone) : timezone
  return nextContactDate(when, value, DateTime.zoneMakeNamedUnsafe(zone), from)
})

/** Builds the event of the next occurrence for a contact, as if it was logged. */
export const dueSource = Effect.fnUntraced(function* (
  automationId: AutomationId,
  when: Trigger,
  { contactId, from: chosen }: DueTest
) {
  if (!isClockTrigger(when)) {
    return yield* invalid("/due", "Expected an automation that starts on a schedule or on a date")
  }
  const [contact] = yield* (yield* Contacts).find([contactId])
  if (contact === undefined) return yield* invalid("/due/contactId", "There is no contact with this id")
  const from = chosen ?? (yield* DateTime.now)
  const occurrence =
    when.event === "schedule.reached"
      ? // A time that is an occurrence itself counts.
        { dueAt: nextOccurrence(when.cron, yield* zoneOfTrigger(when), DateTime.subtract(from, { milliseconds: 1 })) }
      : yield* contactDateAfter(when, contact, from)
  if (occurrence === null) {
    return yield* invalid("/due/contactId", "Expected a contact whose date is reached after this time")
  }
  const { dueAt, ...date } = occurrence
  if (DateTime.isGreaterThan(dueAt, maxTimestamp)) {
    return yield* invalid("/due/from", "Expected a time whose next occurrence is before the year 10000")
  }
  const event: AutomationDue = {
    type: "automation.due",
    automationId,
    contactId,
    dueAt: DateTime.formatIso(dueAt),
    ...date
  }
  const source: LoggedEvent<AutomationDue> = {
    position: yield* (yield* EventLog).head(),
    at: dueAt,
    actor: { kind: "system", id: "automations" },
    causation: null,
    event
  }
  return source
})
