import { DateTime, Effect } from "effect"
import { lastContactZone } from "../../../campaigns/index.ts"
import type { Contact, ContactId } from "../../../crm/index.ts"
import { Locks } from "../../../kernel/index.ts"
import { EventLog, makeEventDecoder } from "../../../platform/events/index.ts"
import { Organizations } from "../../../platform/identity/index.ts"
import { AnySourceEvent, type Facts } from "../../automations/index.ts"
import { type ScheduleId, WeeklySchedules } from "../../schedules/index.ts"
import { hasUnprocessedEvents } from "../eventHandling/awaitedEvents.ts"
import type { RunKey, WaitForNode, WaitNode } from "../graph/Node.ts"
import { type StoredWorkflowRun, WorkflowRuns } from "../runs/WorkflowRuns.ts"
import { subjectOf } from "../runs/goals.ts"
import { nextOpening, type WaitSchedule, wakeTime } from "../runs/nodeRules.ts"
import { applyTransition, type RunExecution, withContact, withFacts } from "../runs/runContext.ts"
import { enterNode, postponeRun, restRun, restForEvent, toSteps } from "../runs/runTransitions.ts"

/** Loads the schedule of a wait. A deleted schedule counts as none. */
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

/** Time zone for the local time of a wait. */
const findWaitZone = Effect.fnUntraced(function* ({ until }: WaitNode, contact: Contact) {
  if (until === undefined) return "UTC"
  const { timezone } = yield* (yield* Organizations).current()
  return until.zone === "contact" ? lastContactZone(contact, timezone) : timezone
})

/** After this time, a wait depends only on its schedule. */
const unscheduledEnd = Effect.fnUntraced(function* (node: WaitNode, contact: Contact, arrival: DateTime.Utc) {
  return wakeTime(node, DateTime.zoneMakeNamedUnsafe(yield* findWaitZone(node, contact)), null, arrival)
})

const openingFrom = Effect.fnUntraced(function* ({ scheduleId }: WaitNode, from: DateTime.Utc) {
  const schedule = yield* loadWaitSchedule(scheduleId)
  return schedule === null ? from : nextOpening(schedule, from)
})

/**
 * First time from `from` at which the schedule of the wait is open. Before a run waits, the schedule is read again under shared locks. A concurrent
 * change commits before that read, or recalls the waiting run.
 */
const scheduledEnd = Effect.fnUntraced(function* (node: WaitNode, from: DateTime.Utc) {
  const opens = yield* openingFrom(node, from)
  if (node.scheduleId === undefined || DateTime.isLessThanOrEqualTo(opens, yield* DateTime.now)) return opens
  const { shared } = yield* Locks
  yield* shared("organization")
  yield* shared("schedules")
  return yield* openingFrom(node, from)
})

/** End of a wait that the contact entered at `arrival`. */
export const waitUntil = Effect.fnUntraced(function* (node: WaitNode, contact: Contact, arrival: DateTime.Utc) {
  return yield* scheduledEnd(node, yield* unscheduledEnd(node, contact, arrival))
})

/** Time when a run entered its current wait. */
export const arrivalOf = Effect.fnUntraced(function* ({ run }: StoredWorkflowRun, now: DateTime.Utc) {
  return (yield* (yield* WorkflowRuns).steps(run.id)).at(-1)?.at ?? now
})

/** Enters a wait. The run continues immediately if the wait has already ended. */
export const startWait = Effect.fnUntraced(function* (before: RunExecution, node: WaitNode) {
  const now = yield* DateTime.now
  const { contact, leg } = yield* withContact(before)
  if (contact === null) return leg
  const { kept } = leg.trip
  const until = yield* waitUntil(node, contact, now)
  if (DateTime.isLessThanOrEqualTo(until, now)) return finishWait(leg, node, now)
  return applyTransition(leg, { kept: restRun(kept, until), steps: toSteps(kept, { state: "waiting" }, now) })
})

/** Ends a wait, or continues it until the schedule opens. A run that was recalled before its wake time counts its wait from its start. */
export const endWait = Effect.fnUntraced(function* (before: RunExecution, node: WaitNode) {
  const now = yield* DateTime.now
  const { wakeAt } = before.trip.kept.run
  const isRecalled = wakeAt !== null && DateTime.isGreaterThan(wakeAt, now)
  const { contact, leg } = isRecalled ? yield* withContact(before) : { contact: null, leg: before }
  if (isRecalled && contact === null) return leg
  const { kept } = leg.trip
  const end = contact === null ? now : yield* unscheduledEnd(node, contact, yield* arrivalOf(kept, now))
  const opens = yield* scheduledEnd(node, DateTime.max(end, now))
  if (DateTime.isLessThanOrEqualTo(opens, now)) return finishWait(leg, node, now)
  return applyTransition(leg, { kept: restRun(kept, opens), steps: [] })
})

const read = makeEventDecoder({ schema: AnySourceEvent })

/** Delay of the next check for unread events from before a deadline. */
const unreadRecheckDelay = { seconds: 1 }

/** Subject that an awaited event must match: the key of the run, or the subject of its last event. */
const awaitedSubject = Effect.fnUntraced(function* ({ course, trip }: RunExecution, match: RunKey, facts: Facts) {
  const { event, key } = trip.kept.run
  if (course.graph.entry?.by === match) return key
  const [logged] = event === null ? [] : yield* read(yield* (yield* EventLog).at([event.position]))
  return subjectOf(match, logged?.event ?? null, facts)
})

/** Waits for an event about this subject and the contact. Events logged from now on count. */
const restUntilEvent = Effect.fnUntraced(function* (
  leg: RunExecution,
  { timeoutSeconds }: WaitForNode,
  contactId: ContactId,
  subject: string | null
) {
  const now = yield* DateTime.now
  const { kept } = leg.trip
  // The lock makes the event consumer wait until this wait is committed. It then applies events logged from now on.
  yield* (yield* WorkflowRuns).lockLive([contactId])
  const awaited = { subject, since: yield* (yield* EventLog).head() }
  const until = DateTime.add(now, { seconds: timeoutSeconds })
  return applyTransition(leg, {
    kept: restForEvent(kept, until, awaited),
    steps: toSteps(kept, { state: "waiting" }, now)
  })
})

/** Enters a wait for an event. */
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

/** Ends a wait for an event after its timeout. Unread events from before the timeout still count, so the run waits for them. */
export const endWaitFor = Effect.fnUntraced(function* (leg: RunExecution, node: WaitForNode) {
  const now = yield* DateTime.now
  const { kept } = leg.trip
  if (yield* hasUnprocessedEvents(kept.run.wakeAt ?? now)) {
    return applyTransition(leg, { kept: postponeRun(kept, DateTime.add(now, unreadRecheckDelay)), steps: [] })
  }
  const steps = toSteps(kept, { state: "done", output: { timeout: true } }, now)
  return applyTransition(leg, { kept: enterNode(kept, node.timeout, now), steps })
})
