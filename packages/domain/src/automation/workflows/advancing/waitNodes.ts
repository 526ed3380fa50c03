import { DateTime, Effect } from "effect"
import { lastContactZone } from "../../../campaigns/index.ts"
import type { Contact, ContactId } from "../../../crm/index.ts"
import { EventLog, makeEventDecoder } from "../../../platform/events/index.ts"
import { Organizations } from "../../../platform/identity/index.ts"
import { AnySourceEvent, type Facts } from "../../automations/index.ts"
import { type ScheduleId, WeeklySchedules } from "../../schedules/index.ts"
import { hasUnprocessedEvents } from "../eventHandling/awaitedEvents.ts"
import type { RunKey, WaitForNode, WaitNode } from "../graph/Node.ts"
import { WorkflowRuns } from "../runs/WorkflowRuns.ts"
import { subjectOf } from "../runs/goals.ts"
import { nextOpening, type WaitSchedule, wakeTime } from "../runs/nodeRules.ts"
import { applyTransition, type RunExecution, withContact, withFacts } from "../runs/runContext.ts"
import { enterNode, postponeRun, restRun, restForEvent, toSteps } from "../runs/runTransitions.ts"

/** What is gone is not waited for. */
const loadWaitSchedule = Effect.fnUntraced(function* (id: ScheduleId | undefined) {
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

const finishWait = (leg: RunExecution, node: WaitNode, now: DateTime.Utc): RunExecution => {
  const { kept } = leg.trip
  return applyTransition(leg, { kept: enterNode(kept, node.next, now), steps: toSteps(kept, { state: "done" }, now) })
}

/** Whose clock shows the moment until which it is waited. */
const findWaitZone = Effect.fnUntraced(function* ({ until }: WaitNode, contact: Contact) {
  if (until === undefined) return "UTC"
  const { timezone } = yield* (yield* Organizations).current()
  return until.zone === "contact" ? lastContactZone(contact, timezone) : timezone
})

/** Until when a contact rests in a wait that it came to then. */
export const waitUntil = Effect.fnUntraced(function* (node: WaitNode, contact: Contact, arrival: DateTime.Utc) {
  const zone = yield* findWaitZone(node, contact)
  return wakeTime(node, DateTime.zoneMakeNamedUnsafe(zone), yield* loadWaitSchedule(node.scheduleId), arrival)
})

/** Comes to a wait: it rests there, unless its time is now. */
export const startWait = Effect.fnUntraced(function* (before: RunExecution, node: WaitNode) {
  const now = yield* DateTime.now
  const { contact, leg } = yield* withContact(before)
  if (contact === null) return leg
  const { kept } = leg.trip
  const until = yield* waitUntil(node, contact, now)
  if (DateTime.isLessThanOrEqualTo(until, now)) return finishWait(leg, node, now)
  return applyTransition(leg, { kept: restRun(kept, until), steps: toSteps(kept, { state: "waiting" }, now) })
})

/** Its time has come; where the schedule was changed meanwhile and is closed now, it waits on. */
export const endWait = Effect.fnUntraced(function* (leg: RunExecution, node: WaitNode) {
  const now = yield* DateTime.now
  const schedule = yield* loadWaitSchedule(node.scheduleId)
  const opens = schedule === null ? now : nextOpening(schedule, now)
  if (DateTime.isLessThanOrEqualTo(opens, now)) return finishWait(leg, node, now)
  return applyTransition(leg, { kept: restRun(leg.trip.kept, opens), steps: [] })
})

const read = makeEventDecoder({ schema: AnySourceEvent })

/** How soon it is looked again whether everything was read that was logged before a deadline. */
const unreadRecheckDelay = { seconds: 1 }

/** What an awaited event has to be about: that of the run's own key, or of what it was last woken by. */
const awaitedSubject = Effect.fnUntraced(function* ({ course, trip }: RunExecution, match: RunKey, facts: Facts) {
  const { event, key } = trip.kept.run
  if (course.graph.entry?.by === match) return key
  const [logged] = event === null ? [] : yield* read(yield* (yield* EventLog).at([event.position]))
  return subjectOf(match, logged?.event ?? null, facts)
})

/** Comes to where it waits for an event about this, beside its contact. What is logged from now on counts. */
const restUntilEvent = Effect.fnUntraced(function* (
  leg: RunExecution,
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
  return applyTransition(leg, {
    kept: restForEvent(kept, until, awaited),
    steps: toSteps(kept, { state: "waiting" }, now)
  })
})

/** Comes to where it waits for an event. */
export const startWaitFor = Effect.fnUntraced(function* (before: RunExecution, node: WaitForNode) {
  const { match = "contact" } = node
  if (match === "contact") {
    const { contact, leg } = yield* withContact(before)
    return contact === null ? leg : yield* restUntilEvent(leg, node, contact.id, null)
  }
  const { facts, leg } = yield* withFacts(before)
  return facts === null
    ? leg
    : yield* restUntilEvent(leg, node, facts.contactId, yield* awaitedSubject(leg, match, facts))
})

/** The time is over; but an event that was logged before may still be unread, and it counts. */
export const endWaitFor = Effect.fnUntraced(function* (leg: RunExecution, node: WaitForNode) {
  const now = yield* DateTime.now
  const { kept } = leg.trip
  if (yield* hasUnprocessedEvents(kept.run.wakeAt ?? now)) {
    return applyTransition(leg, { kept: postponeRun(kept, DateTime.add(now, unreadRecheckDelay)), steps: [] })
  }
  const steps = toSteps(kept, { state: "done", output: { timeout: true } }, now)
  return applyTransition(leg, { kept: enterNode(kept, node.timeout, now), steps })
})
