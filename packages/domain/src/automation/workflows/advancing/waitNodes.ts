import { DateTime, Effect } from "effect"
import { contactZoneOf } from "../../../campaigns/index.ts"
import type { Contact, ContactId } from "../../../crm/index.ts"
import { EventLog, readingWith } from "../../../platform/events/index.ts"
import { Organizations } from "../../../platform/identity/index.ts"
import { AnySourceEvent, type Facts } from "../../automations/index.ts"
import { type ScheduleId, WeeklySchedules } from "../../schedules/index.ts"
import { hasUnread } from "../following/awaitedEvents.ts"
import type { RunKey, WaitForNode, WaitNode } from "../graph/Node.ts"
import { WorkflowRuns } from "../runs/WorkflowRuns.ts"
import { subjectOf } from "../runs/goals.ts"
import { opening, type WaitSchedule, wakeTime } from "../runs/nodeRules.ts"
import { after, type Leg, withContact, withFacts } from "../runs/runContext.ts"
import { enter, postponed, rest, restFor, stepIn } from "../runs/runTransitions.ts"

/** What is gone is not waited for. */
const scheduleWith = Effect.fnUntraced(function* (id: ScheduleId | undefined) {
  const none: WaitSchedule | null = null
  if (id === undefined) return none
  const found = yield* Effect.option((yield* WeeklySchedules).get(id))
  if (found._tag === "None") return none
  const { timezone } = yield* (yield* Organizations).current()
  const schedule: WaitSchedule = {
    hours: found.value,
    zone: DateTime.zoneMakeNamedUnsafe(found.value.timezone ?? timezone)
  }
  return schedule
})

const goOn = (leg: Leg, node: WaitNode, now: DateTime.Utc): Leg => {
  const { kept } = leg.trip
  return after(leg, { kept: enter(kept, node.next, now), steps: stepIn(kept, { state: "done" }, now) })
}

/** Whose clock shows the moment until which it is waited. */
const zoneWith = Effect.fnUntraced(function* ({ until }: WaitNode, contact: Contact) {
  if (until === undefined) return "UTC"
  const { timezone } = yield* (yield* Organizations).current()
  return until.zone === "contact" ? contactZoneOf(contact, timezone) : timezone
})

/** Until when a contact rests in a wait that it came to then. */
export const waitUntil = Effect.fnUntraced(function* (node: WaitNode, contact: Contact, arrival: DateTime.Utc) {
  const zone = yield* zoneWith(node, contact)
  return wakeTime(node, DateTime.zoneMakeNamedUnsafe(zone), yield* scheduleWith(node.scheduleId), arrival)
})

/** Comes to a wait: it rests there, unless its time is now. */
export const beginWait = Effect.fnUntraced(function* (before: Leg, node: WaitNode) {
  const now = yield* DateTime.now
  const { contact, leg } = yield* withContact(before)
  if (contact === null) return leg
  const { kept } = leg.trip
  const until = yield* waitUntil(node, contact, now)
  if (DateTime.isLessThanOrEqualTo(until, now)) return goOn(leg, node, now)
  return after(leg, { kept: rest(kept, until), steps: stepIn(kept, { state: "waiting" }, now) })
})

/** Its time has come; where the schedule was changed meanwhile and is closed now, it waits on. */
export const endWait = Effect.fnUntraced(function* (leg: Leg, node: WaitNode) {
  const now = yield* DateTime.now
  const schedule = yield* scheduleWith(node.scheduleId)
  const opens = schedule === null ? now : opening(schedule, now)
  if (DateTime.isLessThanOrEqualTo(opens, now)) return goOn(leg, node, now)
  return after(leg, { kept: rest(leg.trip.kept, opens), steps: [] })
})

const read = readingWith({ schema: AnySourceEvent })

/** How soon it is looked again whether everything was read that was logged before a deadline. */
const soon = { seconds: 1 }

/** What an awaited event has to be about: that of the run's own key, or of what it was last woken by. */
const awaitedSubject = Effect.fnUntraced(function* ({ course, trip }: Leg, match: RunKey, facts: Facts) {
  const { event, key } = trip.kept.run
  if (course.graph.entry?.by === match) return key
  const [logged] = event === null ? [] : yield* read(yield* (yield* EventLog).at([event.position]))
  return subjectOf(match, logged?.event ?? null, facts)
})

/** Comes to where it waits for an event about this, beside its contact. What is logged from now on counts. */
const restWith = Effect.fnUntraced(function* (
  leg: Leg,
  { timeoutSeconds }: WaitForNode,
  contactId: ContactId,
  subject: string | null
) {
  const now = yield* DateTime.now
  const { kept } = leg.trip
  // Whoever follows the log shows it what is logged from now on only once it is known to wait here.
  yield* (yield* WorkflowRuns).lockLive([contactId])
  const awaited = { subject, since: yield* (yield* EventLog).head() }
  const until = DateTime.add(now, { seconds: timeoutSeconds })
  return after(leg, { kept: restFor(kept, until, awaited), steps: stepIn(kept, { state: "waiting" }, now) })
})

/** Comes to where it waits for an event. */
export const beginWaitFor = Effect.fnUntraced(function* (before: Leg, node: WaitForNode) {
  const { match = "contact" } = node
  if (match === "contact") {
    const { contact, leg } = yield* withContact(before)
    return contact === null ? leg : yield* restWith(leg, node, contact.id, null)
  }
  const { facts, leg } = yield* withFacts(before)
  return facts === null ? leg : yield* restWith(leg, node, facts.contactId, yield* awaitedSubject(leg, match, facts))
})

/** The time is over; but an event that was logged before may still be unread, and it counts. */
export const endWaitFor = Effect.fnUntraced(function* (leg: Leg, node: WaitForNode) {
  const now = yield* DateTime.now
  const { kept } = leg.trip
  if (yield* hasUnread(kept.run.wakeAt ?? now)) {
    return after(leg, { kept: postponed(kept, DateTime.add(now, soon)), steps: [] })
  }
  const steps = stepIn(kept, { state: "done", output: { timeout: true } }, now)
  return after(leg, { kept: enter(kept, node.timeout, now), steps })
})
