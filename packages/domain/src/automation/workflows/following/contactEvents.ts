import { DateTime, Effect } from "effect"
import type { LoggedEvent } from "../../../platform/events/index.ts"
import {
  contactsMeant,
  factsOf,
  isBulk,
  isFresh,
  setClocks,
  type SourceEvent,
  StoredAutomationSettings,
  whoseEvent
} from "../../automations/index.ts"
import { schedulesAtEntry } from "../graph/graphContents.ts"
import { WorkflowRuns } from "../runs/WorkflowRuns.ts"
import { occurrenceOf } from "../runs/goals.ts"
import { makeCourses } from "../runs/runContext.ts"
import { workflowsHeldBecause } from "../runs/runHolds.ts"
import { beginRuns, makeEntries, workflowClocks } from "../starting/triggeredRuns.ts"
import { passBy } from "./awaitedEvents.ts"

type Logged = LoggedEvent<SourceEvent>

/** So many events that are for somebody are shown in one unit of work. */
const mostLed = 20

/** Whom each of these events is about, as they are now: whoever was merged meanwhile is a part of somebody else. */
const contactsOf = Effect.fnUntraced(function* (events: ReadonlyArray<Logged>) {
  const about = yield* Effect.forEach(events, (logged) => Effect.map(whoseEvent(logged), (id) => ({ logged, id })))
  const meant = yield* contactsMeant(new Set(about.flatMap(({ id }) => id ?? [])))
  return about.flatMap(({ id, logged }) => {
    const contact = id === null ? undefined : meant.get(id)
    return contact === undefined ? [] : [{ logged, contact }]
  })
})

/** Those of these events that may begin runs. While nothing may begin, nothing begins later either. */
const beginningIn = Effect.fnUntraced(function* (events: ReadonlyArray<Logged>) {
  const now = yield* DateTime.now
  const fresh = events.filter(({ at }) => isFresh(at, now))
  if (fresh.length === 0 || (yield* workflowsHeldBecause) !== null) return []
  const resumedAfter = yield* (yield* StoredAutomationSettings).resumedAfter()
  return fresh.filter(({ position }) => position > resumedAfter)
})

/** Each of these events with what it may be for: runs that may be under way by then, and workflows that may begin. */
const stepsOf = Effect.fnUntraced(function* (
  about: Effect.Success<ReturnType<typeof contactsOf>>,
  beginning: ReadonlySet<Logged>
) {
  const runs = yield* WorkflowRuns
  const underWay = new Set(yield* runs.underWay([...new Set(about.map(({ contact }) => contact.id))]))
  const entries = makeEntries()
  const steps = []
  for (const { contact, logged } of about) {
    const { blockedAt, id } = contact
    const occurrence = occurrenceOf(logged)
    const { trigger } = occurrence
    const mayBegin = beginning.has(logged) && trigger !== null && !isBulk(logged.event) && blockedAt === null
    const workflows = mayBegin ? yield* entries(trigger) : []
    const isUnderWay = underWay.has(id)
    if (isUnderWay || workflows.length > 0) steps.push({ id, logged, occurrence, workflows, isUnderWay })
    if (workflows.length > 0) underWay.add(id)
  }
  return steps
})

/**
 * Shows what has happened to the runs of its contact, and begins those that begin with it: in the order of the log, each event with what
 * the former ones came to. Runs see what happens also while they are held.
 */
export const followContacts = Effect.fnUntraced(function* (events: ReadonlyArray<Logged>) {
  const beginning = new Set(yield* beginningIn(events))
  const about = yield* contactsOf(events)
  const steps = about.length === 0 ? [] : yield* stepsOf(about, beginning)
  const led = steps.slice(0, mostLed)
  const upTo = steps.length > led.length ? led.at(-1)?.logged.position : undefined
  const isNow = ({ position }: Logged) => upTo === undefined || position <= upTo
  yield* setClocks(workflowClocks, [...beginning].filter(isNow))
  const runs = yield* WorkflowRuns
  const courses = makeCourses()
  for (const { id, isUnderWay, logged, occurrence, workflows } of led) {
    const live = isUnderWay ? yield* runs.lockLive([id]) : []
    const along = yield* Effect.forEach(live, ({ run }) => courses(run.workflowId, run.workflowVersion))
    const schedules = [
      ...along.flatMap((course) => course.schedules),
      ...workflows.flatMap(({ graph }) => schedulesAtEntry(graph))
    ]
    const factsOnce = yield* Effect.cached(factsOf(logged, id, [...new Set(schedules)]))
    yield* passBy(live, occurrence, courses, factsOnce)
    if (workflows.length > 0) yield* beginRuns(workflows, occurrence, factsOnce)
  }
  return upTo === undefined ? ("done" as const) : { upTo }
})
