import { DateTime, Effect } from "effect"
import {
  factsOf,
  isBulk,
  isFresh,
  reachable,
  setClocks,
  type SourceEvent,
  StoredAutomationSettings,
  whoseEvent
} from "../../../automation/index.ts"
import type { ContactId } from "../../../crm/index.ts"
import type { LoggedEvent } from "../../../events/index.ts"
import { makeCourses } from "../Course.ts"
import { workflowsHeldBecause } from "../held.ts"
import { occurrenceOf } from "../occurrence.ts"
import { workflowClocks } from "../starting/workflowClocks.ts"
import { WorkflowRuns } from "../WorkflowRuns.ts"
import { beginRuns, makeEntries } from "./beginRuns.ts"
import { passBy } from "./passBy.ts"

type Logged = LoggedEvent<SourceEvent>

/** Whom each of these events is about. */
const contactsOf = Effect.fnUntraced(function* (events: ReadonlyArray<Logged>) {
  const found: Array<{ readonly logged: Logged; readonly contactId: ContactId }> = []
  for (const logged of events) {
    const contactId = yield* whoseEvent(logged)
    if (contactId !== null) found.push({ logged, contactId })
  }
  return found
})

/** Those of these events that may begin runs. While nothing may begin, nothing begins later either. */
const beginningIn = Effect.fnUntraced(function* (events: ReadonlyArray<Logged>) {
  const now = yield* DateTime.now
  const fresh = events.filter(({ at }) => isFresh(at, now))
  if (fresh.length === 0 || (yield* workflowsHeldBecause) !== null) return []
  const resumedAfter = yield* (yield* StoredAutomationSettings).resumedAfter()
  return fresh.filter(({ position }) => position > resumedAfter)
})

/**
 * Shows what has happened to the runs of its contact, and begins those that begin with it: in the order of the log, each event with what
 * the former ones came to. Runs see what happens also while they are held.
 */
export const followContacts = Effect.fnUntraced(function* (events: ReadonlyArray<Logged>) {
  const beginning = new Set(yield* beginningIn(events))
  yield* setClocks(workflowClocks, [...beginning])
  const about = yield* contactsOf(events)
  if (about.length === 0) return
  const runs = yield* WorkflowRuns
  const contactIds = [...new Set(about.map(({ contactId }) => contactId))]
  const underWay = new Set(yield* runs.underWay(contactIds))
  const courses = makeCourses()
  const entries = makeEntries()
  for (const { contactId, logged } of about) {
    const occurrence = occurrenceOf(logged)
    const factsOnce = yield* Effect.cached(factsOf(logged, contactId))
    if (underWay.has(contactId)) {
      yield* passBy(yield* runs.lockLive([contactId]), occurrence, courses, factsOnce)
    }
    if (!beginning.has(logged) || occurrence.trigger === null || isBulk(logged.event)) continue
    const workflows = yield* entries(occurrence.trigger)
    if (workflows.length === 0 || !(yield* reachable([contactId])).has(contactId)) continue
    yield* beginRuns(workflows, occurrence, factsOnce)
    underWay.add(contactId)
  }
})
