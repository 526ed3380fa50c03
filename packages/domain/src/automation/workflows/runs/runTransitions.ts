/**
 * Transitions of a workflow run. Each function returns the next run, and changes nothing else. `step.ts` and `outsideInputs.ts` choose them.
 */
import type { DateTime, Schema } from "effect"
import type { ActionEffect, ActionError, ConditionExplanation } from "../../automations/index.ts"
import type { NodeId } from "../graph/Node.ts"
import {
  type ExitReason,
  type RunFailure,
  type RunHold,
  type RunWait,
  WorkflowRun,
  type WorkflowStep,
  type WorkflowStepState
} from "./WorkflowRun.ts"
import type { PositionedStep, RunProgress } from "./WorkflowRuns.ts"
import type { GoalCheck, RunCursor, RunState } from "./runState.ts"

/** Maximum number of nodes that a run enters. */
export const maxVisits = 1_000

const withChanges = <T extends RunCursor>(
  kept: T,
  run: Partial<Omit<WorkflowRun, keyof typeof WorkflowRun>>,
  progress: Partial<RunProgress>
): T => ({ ...kept, run: new WorkflowRun({ ...kept.run, ...run }), progress: { ...kept.progress, ...progress } })

const endedProgress = { dueAt: null, isResting: false, heldSince: null } as const

export const withWorkflowVersion = <T extends RunCursor>(kept: T, workflowVersion: number): T =>
  withChanges(kept, { workflowVersion }, {})

export const completeRun = <T extends RunCursor>(kept: T, now: DateTime.Utc): T =>
  withChanges(kept, { state: "completed", reason: null, wakeAt: null, endedAt: now }, endedProgress)

/** `endedBy` is the goal or exit that was met. */
export const exitRun = <T extends RunCursor>(
  kept: T,
  reason: ExitReason,
  now: DateTime.Utc,
  endedBy: NodeId | null = null
): T => withChanges(kept, { state: "exited", reason, wakeAt: null, endedAt: now, endedBy }, endedProgress)

export const failRun = <T extends RunCursor>(kept: T, reason: RunFailure, now: DateTime.Utc): T =>
  withChanges(kept, { state: "failed", reason, wakeAt: null, endedAt: now }, endedProgress)

export const cancelRun = <T extends RunCursor>(kept: T, now: DateTime.Utc): T =>
  withChanges(kept, { state: "cancelled", reason: null, wakeAt: null, endedAt: now }, endedProgress)

/** Number of visits to a node. An id can equal an inherited property name such as `constructor`. */
export const visitCount = ({ visits }: RunCursor["progress"], node: NodeId): number =>
  Object.hasOwn(visits, node) ? (visits[node] ?? 0) : 0

/** Enters a node. Fails the run at the limit of visits. */
export const enterNode = <T extends RunCursor>(kept: T, node: NodeId, now: DateTime.Utc): T => {
  const { places, visits } = kept.progress
  if (places >= maxVisits) return failRun(kept, "step_limit", now)
  return withChanges(
    kept,
    { state: "running", reason: null, node, wakeAt: null },
    {
      dueAt: now,
      isResting: false,
      visits: { ...visits, [node]: visitCount(kept.progress, node) + 1 },
      places: places + 1,
      subject: null,
      attempts: 0,
      heldSince: null
    }
  )
}

/** Waits in the node until a time, or until an event or a call continues the run. */
export const restRun = <T extends RunCursor>(kept: T, until: DateTime.Utc | null, reason: RunWait | null = null): T =>
  withChanges(kept, { state: "waiting", reason, wakeAt: until }, { dueAt: until, isResting: true })

/** Waits in the node for an event, until a time. */
export const restForEvent = <T extends RunCursor>(
  kept: T,
  until: DateTime.Utc,
  { since, subject }: Pick<RunProgress, "since" | "subject">
): T => withChanges(restRun(kept, until), {}, { since, subject })

/** Holds the run until its action is retried, because a dependency is missing. */
export const holdRun = <T extends RunCursor>(kept: T, reason: RunHold, since: DateTime.Utc, again: DateTime.Utc): T =>
  withChanges(kept, { state: "held", reason, wakeAt: again }, { dueAt: again, isResting: true, heldSince: since })

/** Schedules the next attempt without a state change. */
export const postponeRun = <T extends RunCursor>(kept: T, dueAt: DateTime.Utc, attempts = kept.progress.attempts): T =>
  withChanges(kept, {}, { dueAt, attempts })

/** Sets the last event of the run. */
export const withTriggerEvent = <T extends RunCursor>(kept: T, event: NonNullable<WorkflowRun["event"]>): T =>
  withChanges(kept, { event }, { since: event.position })

export const withReachedGoal = <T extends RunCursor>(kept: T, goal: NodeId): T =>
  withChanges(kept, { goals: [...kept.run.goals, goal] }, {})

/** Marks the reached goals. Exits if a goal or an exit ends the run. */
export const applyGoals = (state: RunState, { goals, leaves }: GoalCheck, now: DateTime.Utc): RunState => {
  const reached: RunState = { ...goals.reduce(withReachedGoal, state), goals: [...state.goals, ...goals] }
  return leaves === null ? reached : exitRun(reached, leaves.reason, now, leaves.id)
}

/** Result fields of a step. */
export interface StepResult {
  readonly state: WorkflowStepState
  readonly effect?: ActionEffect | null
  readonly output?: Schema.Json
  readonly error?: ActionError | null
  readonly conditions?: ConditionExplanation | null
}

/** Builds the step of the current node. */
export const toSteps = (
  { progress, run: { node } }: RunCursor,
  { conditions = null, effect = null, error = null, output = null, state }: StepResult,
  at: DateTime.Utc
): ReadonlyArray<PositionedStep> => {
  if (node === null) return []
  const step: WorkflowStep = { node, visit: visitCount(progress, node), state, effect, output, error, conditions, at }
  return [{ place: progress.places, step }]
}

/** Adds the step of the current node. Call it before the run leaves the node. */
export const withStep = (state: RunState, result: StepResult, at: DateTime.Utc): RunState => ({
  ...state,
  steps: [...state.steps, ...toSteps(state, result, at)]
})
