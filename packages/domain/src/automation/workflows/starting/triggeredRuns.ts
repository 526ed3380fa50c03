import { DateTime, Effect } from "effect"
import { runDueLanes } from "../../../platform/background/index.ts"
import { EventLog, makeEventDecoder } from "../../../platform/events/index.ts"
import {
  AnySourceEvent,
  makeTimerLaneWorker,
  type TimerOwner,
  type InactivityTrigger,
  type TimerTriggers,
  type Facts,
  factsForEvent,
  isInactivityTrigger,
  evaluateCondition,
  type FiredTimer,
  startCausation,
  type TriggerEvent
} from "../../automations/index.ts"
import { type EventStartedWorkflow, Workflows } from "../Workflow.ts"
import type { WorkflowEntry } from "../graph/Graph.ts"
import { schedulesAtEntry } from "../graph/graphContents.ts"
import { runFactGroups, matchesOccurrence, type TriggerOccurrence, subjectOf } from "../runs/goals.ts"
import { workflowHoldReason } from "../runs/runHolds.ts"
import { startRun } from "./startRun.ts"

/** Creates a loader for the workflows that start on an event. It reads each event type once. */
export const makeTriggeredWorkflowLoader = () => {
  const known = new Map<TriggerEvent, ReadonlyArray<EventStartedWorkflow>>()
  return Effect.fnUntraced(function* (trigger: TriggerEvent) {
    const found = known.get(trigger) ?? (yield* (yield* Workflows).beginningOn(trigger))
    known.set(trigger, found)
    return found
  })
}

/** Evaluates the conditions of an entry; `null` if they do not hold. An entry without conditions has nothing to explain. */
const explainEntry = Effect.fnUntraced(function* ({ if: input = {} }: WorkflowEntry, facts: Facts) {
  const explained = yield* evaluateCondition(input, runFactGroups, facts)
  if (!explained.held) return null
  return { conditions: Object.keys(input).length === 0 ? undefined : explained }
})

/** Starts a run of each workflow that the event matches. */
export const startTriggeredRuns = Effect.fnUntraced(function* <R>(
  workflows: ReadonlyArray<EventStartedWorkflow>,
  occurrence: TriggerOccurrence,
  factsOnce: Effect.Effect<Facts | null, never, R>
) {
  const { at, event, position } = occurrence.logged
  for (const workflow of workflows) {
    const { entry } = workflow.graph
    if (entry?.event == null || position <= workflow.activeAfter || !matchesOccurrence(occurrence, entry.event))
      continue
    const facts = yield* factsOnce
    if (facts === null) return
    const key = subjectOf(entry.by ?? "contact", event, facts)
    const explained = key === null ? null : yield* explainEntry(entry, facts)
    if (key === null || explained === null) continue
    const causation = yield* startCausation(occurrence.logged)
    yield* startRun(workflow, {
      name: String(position),
      contactId: facts.contactId,
      key,
      event: { position, type: event.type },
      causation,
      conditions: explained.conditions,
      input: {},
      from: position,
      dueAt: at
    })
  }
})

type WorkflowTimerOwner = EventStartedWorkflow & TimerOwner

const read = makeEventDecoder({ schema: AnySourceEvent })

const ownersOf = (workflows: ReadonlyArray<EventStartedWorkflow>): ReadonlyArray<WorkflowTimerOwner> =>
  workflows.flatMap((workflow) => {
    const when = workflow.graph.entry?.event ?? null
    return when !== null && isInactivityTrigger(when) ? [{ ...workflow, when, after: workflow.activeAfter }] : []
  })

/** Starts a run if the entry condition holds now. */
const startTimerRun = Effect.fnUntraced(function* ({
  clock,
  contactId,
  counted,
  name,
  owner
}: FiredTimer<WorkflowTimerOwner>) {
  const { entry } = owner.graph
  const [logged] = yield* read([counted])
  const facts = logged === undefined ? null : yield* factsForEvent(logged, contactId, schedulesAtEntry(owner.graph))
  if (entry === undefined || logged === undefined || facts === null) return
  const key = subjectOf(entry.by ?? "contact", logged.event, facts)
  const explained = key === null ? null : yield* explainEntry(entry, facts)
  if (key === null || explained === null) return
  yield* startRun(owner, {
    name,
    contactId,
    key,
    event: { position: clock.position, type: owner.when.event },
    causation: counted.causation,
    conditions: explained.conditions,
    input: {},
    from: yield* (yield* EventLog).head(),
    // The cart can become abandoned after the time that the entry specifies.
    dueAt: DateTime.max(clock.dueAt, counted.at)
  })
})

/** Workflows that idle conversations and abandoned carts start. */
export const workflowTimers = {
  kind: "workflow",
  heldBecause: workflowHoldReason,
  on: Effect.fnUntraced(function* (event: InactivityTrigger["event"]) {
    return ownersOf(yield* (yield* Workflows).beginningOn(event))
  }),
  begin: (struck: ReadonlyArray<FiredTimer<WorkflowTimerOwner>>) =>
    Effect.forEach(struck, startTimerRun, { discard: true })
} satisfies TimerTriggers<WorkflowTimerOwner, unknown, unknown, unknown>

/** Starts runs for idle conversations and abandoned carts, per organization. */
export const workflowTimerLaneWorker = makeTimerLaneWorker(workflowTimers)

/** Fires due timers of workflows, for all organizations whose lanes are free. */
export const fireWorkflowTimers = runDueLanes(workflowTimerLaneWorker)
