import { DateTime, Effect } from "effect"
import { lastContactZone } from "../../../campaigns/index.ts"
import type { Contact } from "../../../crm/index.ts"
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
import type { RunCommandOf, RunInputOf } from "../runs/runState.ts"
import { contactMissing, type RunSession, sessionContact, sessionFacts } from "./runSession.ts"

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

/** Calculates the end of a wait. */
export const planWait = Effect.fnUntraced(function* (session: RunSession, { from, node }: RunCommandOf<"PlanWait">) {
  const now = yield* DateTime.now
  if (from === "schedule") {
    return { _tag: "WaitPlanned", now, until: yield* scheduledEnd(node, now) } satisfies RunInputOf<"WaitPlanned">
  }
  const contact = yield* sessionContact(session)
  if (contact === null) return yield* contactMissing(session)
  const arrival = from === "now" ? now : yield* arrivalOf(session.kept, now)
  const end = yield* unscheduledEnd(node, contact, arrival)
  const until = yield* scheduledEnd(node, from === "now" ? end : DateTime.max(end, now))
  return { _tag: "WaitPlanned", now, until } satisfies RunInputOf<"WaitPlanned">
})

const read = makeEventDecoder({ schema: AnySourceEvent })

/** Subject that an awaited event must match: the key of the run, or the subject of its last event. */
const subjectOfRun = Effect.fnUntraced(function* ({ course, state }: RunSession, match: RunKey, facts: Facts) {
  const { event, key } = state.run
  if (course.graph.entry?.by === match) return key
  const [logged] = event === null ? [] : yield* read(yield* (yield* EventLog).at([event.position]))
  return subjectOf(match, logged?.event ?? null, facts)
})

/** Contact and subject of an awaited event; `null` if the contact is deleted. */
export const awaitedSubject = Effect.fnUntraced(function* (session: RunSession, { match = "contact" }: WaitForNode) {
  const facts = match === "contact" ? null : yield* sessionFacts(session)
  const contact = match === "contact" ? yield* sessionContact(session) : (facts?.contact ?? null)
  if (contact === null) return null
  return { contactId: contact.id, subject: facts === null ? null : yield* subjectOfRun(session, match, facts) }
})

/** Starts to wait for an event about the contact and the subject. Events logged from now on count. */
export const awaitEvent = Effect.fnUntraced(function* (session: RunSession, { node }: RunCommandOf<"AwaitEvent">) {
  const awaited = yield* awaitedSubject(session, node)
  if (awaited === null) return yield* contactMissing(session)
  const { contactId, subject } = awaited
  const now = yield* DateTime.now
  // The lock makes the event consumer wait until this wait is committed. It then applies events logged from now on.
  yield* (yield* WorkflowRuns).lockLive([contactId])
  const since = yield* (yield* EventLog).head()
  return { _tag: "EventAwaited", now, since, subject } satisfies RunInputOf<"EventAwaited">
})

/** Checks for unread events from before the deadline of a wait. */
export const checkUnread = Effect.fnUntraced(function* ({ deadline }: RunCommandOf<"CheckUnread">) {
  const hasUnread = yield* hasUnprocessedEvents(deadline)
  return { _tag: "UnreadChecked", now: yield* DateTime.now, hasUnread } satisfies RunInputOf<"UnreadChecked">
})
