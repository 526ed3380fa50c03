import { DateTime, Effect } from "effect"
import type { ContactId, MergeStep, UndoneMerge } from "../../../crm/index.ts"
import type { Slice } from "../../../kernel/index.ts"
import type { TaskName } from "../../../platform/background/index.ts"
import { makeContactLanes, laneOf, RunConflict } from "../../automations/index.ts"
import { appendEvent } from "../events.ts"
import type { NodeId } from "../graph/Node.ts"
import { type EndedRunState, type WorkflowRun, WorkflowRunEntry } from "./WorkflowRun.ts"
import { ContactWorkflowRuns, type StoredWorkflowRun, type PositionedStep, WorkflowRuns } from "./WorkflowRuns.ts"
import { exitRun } from "./runTransitions.ts"

/** Name of the background task. */
export const workflowRunTaskName: TaskName = "workflow runs"

/** Schedule the lanes of waiting runs. */
export const { open: scheduleWorkflowLanes, openAll: scheduleAllWorkflowLanes } = makeContactLanes(workflowRunTaskName)

const isEnded = (state: WorkflowRun["state"]): state is EndedRunState =>
  state === "completed" || state === "exited" || state === "failed" || state === "cancelled"

/** Publishes events for ended runs in the same unit of work. */
export const publishWorkflowRunEnds = Effect.fnUntraced(function* (runs: ReadonlyArray<WorkflowRun>) {
  for (const { contactId, id: runId, reason, state, workflowId } of runs) {
    if (isEnded(state)) yield* appendEvent({ type: "workflow.run_ended", workflowId, runId, contactId, state, reason })
  }
})

/** Publishes the event for a started run in the same unit of work. */
export const publishWorkflowRunStart = ({ contactId, id: runId, workflowId, workflowVersion }: WorkflowRun) =>
  appendEvent({ type: "workflow.run_started", workflowId, runId, contactId, workflowVersion })

/** Publishes the events for reached goals in the same unit of work. */
const publishReachedGoals = Effect.fnUntraced(function* (
  { contactId, id: runId, workflowId }: WorkflowRun,
  goals: ReadonlyArray<NodeId>
) {
  for (const goalId of goals)
    yield* appendEvent({ type: "workflow.goal_reached", workflowId, runId, contactId, goalId })
})

/** Changed run, with new steps and reached goals. */
export interface RunChanges {
  readonly kept: StoredWorkflowRun
  readonly steps: ReadonlyArray<PositionedStep>
  readonly goals: ReadonlyArray<NodeId>
}

export const toRunChanges = (kept: StoredWorkflowRun): RunChanges => ({ kept, steps: [], goals: [] })

/** Saves a run in the unit of work of its changes, and publishes its events. Returns the saved run. */
export const saveWorkflowRun = Effect.fnUntraced(function* ({ goals, kept, steps }: RunChanges) {
  if (!(yield* (yield* WorkflowRuns).save(kept, steps))) return yield* new RunConflict()
  yield* publishReachedGoals(kept.run, goals)
  yield* publishWorkflowRunEnds([kept.run])
  const after: StoredWorkflowRun = { ...kept, revision: kept.revision + 1 }
  return after
})

/** Contact data of workflow runs. Runs follow a merged contact. Runs of a blocked or deleted contact exit. */
export const workflowRunData = {
  permission: "workflows.read" as const,
  countsAsActivity: false as const,
  timeline: Effect.fnUntraced(function* (contactId: ContactId, slice: Slice) {
    const found = yield* (yield* ContactWorkflowRuns).list(contactId, slice)
    return found.map(({ run: { id, reason, startedAt: at, state, workflowId } }) => {
      return new WorkflowRunEntry({ kind: "workflow_run", id, at, workflowId, state, reason })
    })
  }),
  export: Effect.fnUntraced(function* (contactId: ContactId, limit: number) {
    const found = yield* (yield* ContactWorkflowRuns).list(contactId, { limit, after: null })
    return { workflowRuns: found.map(({ run }) => run) }
  }),
  nothing: { workflowRuns: [] },
  move: Effect.fnUntraced(function* (move: MergeStep, now: DateTime.Utc) {
    const lane = laneOf(move.to)
    yield* publishWorkflowRunEnds(yield* (yield* ContactWorkflowRuns).handOver(move, lane, now))
    yield* scheduleWorkflowLanes([lane])
  }),
  moveBack: Effect.fnUntraced(function* (undone: UndoneMerge) {
    const lane = laneOf(undone.to)
    const back = yield* (yield* ContactWorkflowRuns).handBack(undone, lane)
    if (back > 0) yield* scheduleWorkflowLanes([lane])
  }),
  block: Effect.fnUntraced(function* (contactId: ContactId) {
    const now = yield* DateTime.now
    for (const kept of yield* (yield* WorkflowRuns).lockLive([contactId])) {
      yield* Effect.orDie(saveWorkflowRun(toRunChanges(exitRun(kept, "blocked", now))))
    }
  }),
  forget: Effect.fnUntraced(function* (contactIds: ReadonlyArray<ContactId>) {
    yield* publishWorkflowRunEnds(yield* (yield* ContactWorkflowRuns).forget(contactIds, yield* DateTime.now))
  })
}
