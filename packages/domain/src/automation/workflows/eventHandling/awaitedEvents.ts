import { DateTime, Effect } from "effect"
import { EventConsumerName, EventCursors } from "../../../platform/events/index.ts"
import { type Facts, evaluateCondition, type SourceEvent } from "../../automations/index.ts"
import type { WaitForNode } from "../graph/Node.ts"
import type { StoredWorkflowRun } from "../runs/WorkflowRuns.ts"
import {
  runFactGroups,
  hasGoalsOrExits,
  isCausedByWorkflow,
  matchesOccurrence,
  reachedGoals,
  type TriggerOccurrence,
  subjectOf
} from "../runs/goals.ts"
import { type LoadedWorkflow, type WorkflowLoader, findCurrentNode } from "../runs/runContext.ts"
import type { AwaitedEvent, GoalCheck, RunCursor, RunInputOf } from "../runs/runState.ts"
import { applyToRun } from "../runs/savedRuns.ts"

/** Name of the event consumer that applies events to runs. */
export const workflowConsumerName = "workflows.follow_contacts"

/** Events about contacts that can start runs, wake them, or reach their goals. */
export const handledEventTypes = [
  "message.received",
  "message.echoed",
  "message.queued",
  "message.status_changed",
  "conversation.opened",
  "conversation.status_changed",
  "conversation.assigned",
  "conversation.updated",
  "note.created",
  "contact.created",
  "contact.updated",
  "contact.tagged",
  "contact.untagged",
  "contact.consent_changed",
  "customer.linked",
  "customer.unlinked",
  "order.created",
  "order.paid",
  "order.fulfilled",
  "order.cancelled",
  "order.refunded",
  "cart.abandoned",
  "cart.recovered",
  "broadcast.replied"
] as const satisfies ReadonlyArray<SourceEvent["type"]>

const workflowConsumer = { name: EventConsumerName.make(workflowConsumerName), types: handledEventTypes }

/** Whether an event from before that time is not yet applied to runs. */
export const hasUnprocessedEvents = Effect.fnUntraced(function* (before: DateTime.Utc) {
  const [subscription] = yield* (yield* EventCursors).list([workflowConsumer])
  const next = subscription?.next ?? null
  return next !== null && DateTime.isLessThan(next.at, before)
})

/** Node where the run waits for this event. The event was logged after the run entered the node and before its timeout. */
const findAwaitingNode = (
  course: LoadedWorkflow,
  { progress, run }: RunCursor,
  occurrence: TriggerOccurrence
): WaitForNode | null => {
  const node = findCurrentNode(course, run)
  if (node?.kind !== "wait_for" || !progress.isResting || run.wakeAt === null) return null
  const { at, position } = occurrence.logged
  if (position <= progress.since || !DateTime.isLessThan(at, run.wakeAt)) return null
  return matchesOccurrence(occurrence, node.event) && !isCausedByWorkflow(occurrence, run.workflowId) ? node : null
}

const matchesSubject = (
  { match = "contact" }: WaitForNode,
  kept: RunCursor,
  occurrence: TriggerOccurrence,
  facts: Facts
) =>
  match === "contact" ||
  (kept.progress.subject !== null && subjectOf(match, occurrence.logged.event, facts) === kept.progress.subject)

/** Wait of the run that the event ends; `null` if the run does not wait for it. */
const findReceivedEvent = Effect.fnUntraced(function* (
  course: LoadedWorkflow,
  kept: RunCursor,
  occurrence: TriggerOccurrence,
  facts: Facts
) {
  const nothing: AwaitedEvent | null = null
  const node = findAwaitingNode(course, kept, occurrence)
  if (node === null || !matchesSubject(node, kept, occurrence, facts)) return nothing
  const conditions = yield* evaluateCondition(node.if ?? {}, runFactGroups, facts)
  return conditions.held ? ({ node, conditions } satisfies AwaitedEvent) : nothing
})

/** Input of an event for a run: goals, exits, then the awaited event. */
export const toEventInput = Effect.fnUntraced(function* (
  course: LoadedWorkflow,
  kept: RunCursor,
  occurrence: TriggerOccurrence,
  facts: Facts
) {
  const check: GoalCheck = hasGoalsOrExits(course.graph)
    ? yield* reachedGoals(course.graph, kept.run.goals, facts, occurrence)
    : { goals: [], leaves: null }
  const received = check.leaves === null ? yield* findReceivedEvent(course, kept, occurrence, facts) : null
  const { event, position } = occurrence.logged
  const now = yield* DateTime.now
  return {
    _tag: "EventArrived",
    now,
    event: { position, type: event.type },
    ...check,
    received
  } satisfies RunInputOf<"EventArrived">
})

/** Whether the event can affect the run. */
const canAffectRun = (course: LoadedWorkflow, kept: StoredWorkflowRun, occurrence: TriggerOccurrence) =>
  occurrence.logged.position > kept.progress.from &&
  (hasGoalsOrExits(course.graph) || findAwaitingNode(course, kept, occurrence) !== null)

/** Applies an event to the locked live runs of its contact. */
export const applyEventToRuns = Effect.fnUntraced(function* <R>(
  live: ReadonlyArray<StoredWorkflowRun>,
  occurrence: TriggerOccurrence,
  courses: WorkflowLoader,
  factsOnce: Effect.Effect<Facts | null, never, R>
) {
  for (const kept of live) {
    const course = yield* courses(kept.run.workflowId, kept.run.workflowVersion)
    if (!canAffectRun(course, kept, occurrence)) continue
    const facts = yield* factsOnce
    // A deleted contact has no live runs: a concurrent erasure has ended them.
    if (facts === null) continue
    yield* Effect.orDie(
      Effect.flatMap(toEventInput(course, kept, occurrence, facts), (input) => applyToRun(kept, input))
    )
  }
})
