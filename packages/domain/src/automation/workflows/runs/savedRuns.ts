import { DateTime, Effect } from "effect"
import type { ContactId, MergeStep, UndoneMerge } from "../../../crm/index.ts"
import type { Slice } from "../../../kernel/index.ts"
import type { TaskName } from "../../../platform/background/index.ts"
import { makeContactLanes, laneOf, RunConflict } from "../../automations/index.ts"
import { appendEvent } from "../events.ts"
import type { NodeId } from "../graph/Node.ts"
import { isEndedRunState, type WorkflowRun, WorkflowRunEntry } from "./WorkflowRun.ts"
import { ContactWorkflowRuns, type StoredWorkflowRun, WorkflowRuns } from "./WorkflowRuns.ts"
import { stepFromOutside } from "./outsideInputs.ts"
import { type OutsideInput, type RunState, type StoreCommand, toRunState } from "./runState.ts"

/** Name of the background task. */
export const workflowRunTaskName: TaskName = "workflow runs"

/** Schedule the lanes of waiting runs. */
export const { open: scheduleWorkflowLanes, openAll: scheduleAllWorkflowLanes } = makeContactLanes(workflowRunTaskName)

/** Publishes events for ended runs in the same unit of work. */
export const publishWorkflowRunEnds = Effect.fnUntraced(function* (runs: ReadonlyArray<WorkflowRun>) {
  for (const { contactId, id: runId, reason, state, workflowId } of runs) {
    if (isEndedRunState(state))
      yield* appendEvent({ type: "workflow.run_ended", workflowId, runId, contactId, state, reason })
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

/** Saves a run in the unit of work of its changes, and publishes its events. Returns the saved run. */
const saveWorkflowRun = Effect.fnUntraced(function* (
  kept: StoredWorkflowRun,
  { goals, progress, run, steps }: RunState
) {
  if (!(yield* (yield* WorkflowRuns).save({ ...kept, run, progress }, steps))) return yield* new RunConflict()
  yield* publishReachedGoals(run, goals)
  yield* publishWorkflowRunEnds([run])
  const after: StoredWorkflowRun = { ...kept, run, progress, revision: kept.revision + 1 }
  return after
})

/** Executes the commands that store a run. Returns the stored run. */
export const executeStoreCommand = Effect.fnUntraced(function* (
  kept: StoredWorkflowRun,
  state: RunState,
  command: StoreCommand
) {
  if (command._tag === "Save") return yield* saveWorkflowRun(kept, state)
  yield* scheduleWorkflowLanes([kept.lane])
  return kept
})

/** Applies an input from outside of the nodes to a run, in the unit of work of its cause. Returns the stored run. */
export const applyToRun = Effect.fnUntraced(function* (before: StoredWorkflowRun, input: OutsideInput) {
  const { commands, state } = stepFromOutside(toRunState(before), input)
  let kept = before
  for (const command of commands) kept = yield* executeStoreCommand(kept, state, command)
  return kept
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
      yield* Effect.orDie(applyToRun(kept, { _tag: "ContactBlocked", now }))
    }
  }),
  forget: Effect.fnUntraced(function* (contactIds: ReadonlyArray<ContactId>) {
    yield* publishWorkflowRunEnds(yield* (yield* ContactWorkflowRuns).forget(contactIds, yield* DateTime.now))
  })
}
