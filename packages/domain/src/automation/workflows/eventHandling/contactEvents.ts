import { DateTime, Effect } from "effect"
import type { LoggedEvent } from "../../../platform/events/index.ts"
import {
  resolveCurrentContacts,
  factsForEvent,
  isBulkEvent,
  isWithinStartWindow,
  setTimers,
  type SourceEvent,
  StoredAutomationSettings,
  eventContact,
  triggerEventOf
} from "../../automations/index.ts"
import { schedulesAtEntry } from "../graph/graphContents.ts"
import { WorkflowRuns } from "../runs/WorkflowRuns.ts"
import { toTriggerOccurrence } from "../runs/goals.ts"
import { makeWorkflowLoader } from "../runs/runContext.ts"
import { workflowHoldReason } from "../runs/runHolds.ts"
import { startTriggeredRuns, makeTriggeredWorkflowLoader, workflowTimers } from "../starting/triggeredRuns.ts"
import { applyEventToRuns } from "./awaitedEvents.ts"

type LoggedSourceEvent = LoggedEvent<SourceEvent>

/** Maximum number of relevant events per unit of work. */
const maxHandledEvents = 20

/** Loads the current contacts of these events. A merged contact resolves to the surviving one. */
const loadEventContacts = Effect.fnUntraced(function* (events: ReadonlyArray<LoggedSourceEvent>) {
  const about = yield* Effect.forEach(events, (logged) => Effect.map(eventContact(logged), (id) => ({ logged, id })))
  const meant = yield* resolveCurrentContacts(new Set(about.flatMap(({ id }) => id ?? [])))
  return about.flatMap(({ id, logged }) => {
    const contact = id === null ? undefined : meant.get(id)
    return contact === undefined ? [] : [{ logged, contact }]
  })
})

/** Whether the event can affect runs. Of the receipts for messages, only those of triggers can. */
const isAboutContact = ({ event }: LoggedSourceEvent): boolean =>
  event.type !== "message.status_changed" || triggerEventOf(event) !== null

/** Selects events that can start runs. Events during a hold never start a run. */
const selectStartingEvents = Effect.fnUntraced(function* (events: ReadonlyArray<LoggedSourceEvent>) {
  const now = yield* DateTime.now
  const fresh = events.filter(({ at }) => isWithinStartWindow(at, now))
  if (fresh.length === 0 || (yield* workflowHoldReason) !== null) return []
  const resumedAfter = yield* (yield* StoredAutomationSettings).resumedAfter()
  return fresh.filter(({ position }) => position > resumedAfter)
})

/** Adds to each event the workflows that it can start, and whether runs can be live by then. */
const planSteps = Effect.fnUntraced(function* (
  about: Effect.Success<ReturnType<typeof loadEventContacts>>,
  beginning: ReadonlySet<LoggedSourceEvent>
) {
  const runs = yield* WorkflowRuns
  const underWay = new Set(yield* runs.underWay([...new Set(about.map(({ contact }) => contact.id))]))
  const entries = makeTriggeredWorkflowLoader()
  const steps = []
  for (const { contact, logged } of about) {
    const { blockedAt, id } = contact
    const occurrence = toTriggerOccurrence(logged)
    const { trigger } = occurrence
    const mayBegin = beginning.has(logged) && trigger !== null && !isBulkEvent(logged.event) && blockedAt === null
    const workflows = mayBegin ? yield* entries(trigger) : []
    const isUnderWay = underWay.has(id)
    if (isUnderWay || workflows.length > 0) steps.push({ id, logged, occurrence, workflows, isUnderWay })
    if (workflows.length > 0) underWay.add(id)
  }
  return steps
})

/**
 * Applies events to the runs of their contacts and starts runs, in log order. Each event sees the effects of the
 * earlier ones. Held runs also receive events.
 */
export const handleContactEvents = Effect.fnUntraced(function* (received: ReadonlyArray<LoggedSourceEvent>) {
  const events = received.filter(isAboutContact)
  const beginning = new Set(yield* selectStartingEvents(events))
  const about = yield* loadEventContacts(events)
  const steps = about.length === 0 ? [] : yield* planSteps(about, beginning)
  const led = steps.slice(0, maxHandledEvents)
  const upTo = steps.length > led.length ? led.at(-1)?.logged.position : undefined
  const isNow = ({ position }: LoggedSourceEvent) => upTo === undefined || position <= upTo
  yield* setTimers(workflowTimers, [...beginning].filter(isNow))
  const runs = yield* WorkflowRuns
  const courses = makeWorkflowLoader()
  for (const { id, isUnderWay, logged, occurrence, workflows } of led) {
    const live = isUnderWay ? yield* runs.lockLive([id]) : []
    const along = yield* Effect.forEach(live, ({ run }) => courses(run.workflowId, run.workflowVersion))
    const schedules = [
      ...along.flatMap((course) => course.schedules),
      ...workflows.flatMap(({ graph }) => schedulesAtEntry(graph))
    ]
    const factsOnce = yield* Effect.cached(factsForEvent(logged, id, [...new Set(schedules)]))
    yield* applyEventToRuns(live, occurrence, courses, factsOnce)
    if (workflows.length > 0) yield* startTriggeredRuns(workflows, occurrence, factsOnce)
  }
  return upTo === undefined ? ("done" as const) : { upTo }
})
