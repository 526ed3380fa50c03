import { DateTime, Effect } from "effect"
import type { ContactId, Move, UndoneMerge } from "../../../crm/index.ts"
import type { WorkName } from "../../../platform/background/index.ts"
import { contactLanes, laneOf, RunMoved } from "../../automations/index.ts"
import { appendEvent } from "../events.ts"
import type { NodeId } from "../graph/Node.ts"
import type { EndedRunState, WorkflowRun } from "./WorkflowRun.ts"
import { ContactWorkflowRuns, type KeptWorkflowRun, type PlacedStep, WorkflowRuns } from "./WorkflowRuns.ts"
import { exited } from "./runTransitions.ts"

/** What leading runs is called among the works. */
export const workflowRunsWork: WorkName = "workflow runs"

/** Has somebody go on with runs that wait. */
export const { open: openWorkflowLanes, openAll: openAllWorkflowLanes } = contactLanes(workflowRunsWork)

const isEnded = (state: WorkflowRun["state"]): state is EndedRunState =>
  state === "completed" || state === "exited" || state === "failed" || state === "cancelled"

/** Tells of runs that are over, in the unit of work of that. */
export const tellEnded = Effect.fnUntraced(function* (runs: ReadonlyArray<WorkflowRun>) {
  for (const { contactId, id: runId, reason, state, workflowId } of runs) {
    if (isEnded(state)) yield* appendEvent({ type: "workflow.run_ended", workflowId, runId, contactId, state, reason })
  }
})

/** Tells of a run that has begun, in the unit of work of that. */
export const tellStarted = ({ contactId, id: runId, workflowId, workflowVersion }: WorkflowRun) =>
  appendEvent({ type: "workflow.run_started", workflowId, runId, contactId, workflowVersion })

/** Tells of goals that a run has reached, in the unit of work of that. */
const tellGoals = Effect.fnUntraced(function* (
  { contactId, id: runId, workflowId }: WorkflowRun,
  goals: ReadonlyArray<NodeId>
) {
  for (const goalId of goals)
    yield* appendEvent({ type: "workflow.goal_reached", workflowId, runId, contactId, goalId })
})

/** A run after what was done, with what is kept and told of that. */
export interface Trip {
  readonly kept: KeptWorkflowRun
  readonly steps: ReadonlyArray<PlacedStep>
  readonly goals: ReadonlyArray<NodeId>
}

/** A run of which nothing was done yet. */
export const tripOf = (kept: KeptWorkflowRun): Trip => ({ kept, steps: [], goals: [] })

/** Keeps a run as it is now, in the unit of work of what was done, and tells of it; gives what is kept then. */
export const keepRun = Effect.fnUntraced(function* ({ goals, kept, steps }: Trip) {
  if (!(yield* (yield* WorkflowRuns).save(kept, steps))) return yield* new RunMoved()
  yield* tellGoals(kept.run, goals)
  yield* tellEnded([kept.run])
  const after: KeptWorkflowRun = { ...kept, revision: kept.revision + 1 }
  return after
})

/** Which workflows contacts are on their way through, and were. Runs follow their contact; whoever is blocked or gone has left. */
export const workflowRunHolding = {
  permission: "workflows.read" as const,
  timeline: () => Effect.succeed([]),
  export: Effect.fnUntraced(function* (contactId: ContactId, limit: number) {
    return { workflowRuns: yield* (yield* ContactWorkflowRuns).list(contactId, limit) }
  }),
  nothing: { workflowRuns: [] },
  move: Effect.fnUntraced(function* (move: Move, now: DateTime.Utc) {
    const lane = laneOf(move.to)
    yield* tellEnded(yield* (yield* ContactWorkflowRuns).handOver(move, lane, now))
    yield* openWorkflowLanes([lane])
  }),
  moveBack: Effect.fnUntraced(function* (undone: UndoneMerge) {
    const lane = laneOf(undone.to)
    const back = yield* (yield* ContactWorkflowRuns).handBack(undone, lane)
    if (back > 0) yield* openWorkflowLanes([lane])
  }),
  block: Effect.fnUntraced(function* (contactId: ContactId) {
    const now = yield* DateTime.now
    for (const kept of yield* (yield* WorkflowRuns).lockLive([contactId])) {
      yield* Effect.orDie(keepRun(tripOf(exited(kept, "blocked", now))))
    }
  }),
  forget: Effect.fnUntraced(function* (contactIds: ReadonlyArray<ContactId>) {
    yield* tellEnded(yield* (yield* ContactWorkflowRuns).forget(contactIds, yield* DateTime.now))
  })
}
