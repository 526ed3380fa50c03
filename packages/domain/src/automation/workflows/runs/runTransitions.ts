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
import type { StoredWorkflowRun, PositionedStep, RunProgress } from "./WorkflowRuns.ts"

/** So many nodes does a run come to at most. */
export const maxVisits = 1_000

/** What moves: a run, and how far it has come. */
export interface RunCursor {
  readonly run: WorkflowRun
  readonly progress: RunProgress
}

/** A traveller after a move, with what is told of it. */
export interface RunTransition<T extends RunCursor = StoredWorkflowRun> {
  readonly kept: T
  readonly steps: ReadonlyArray<PositionedStep>
}

const withChanges = <T extends RunCursor>(
  kept: T,
  run: Partial<Omit<WorkflowRun, keyof typeof WorkflowRun>>,
  progress: Partial<RunProgress>
): T => ({ ...kept, run: new WorkflowRun({ ...kept.run, ...run }), progress: { ...kept.progress, ...progress } })

const endedProgress = { dueAt: null, isResting: false, heldSince: null } as const

/** The run that goes on by another version. */
export const withWorkflowVersion = <T extends RunCursor>(kept: T, workflowVersion: number): T =>
  withChanges(kept, { workflowVersion }, {})

/** The run that has come to its end. */
export const completeRun = <T extends RunCursor>(kept: T, now: DateTime.Utc): T =>
  withChanges(kept, { state: "completed", reason: null, wakeAt: null, endedAt: now }, endedProgress)

/** The run that has left. */
export const exitRun = <T extends RunCursor>(kept: T, reason: ExitReason, now: DateTime.Utc): T =>
  withChanges(kept, { state: "exited", reason, wakeAt: null, endedAt: now }, endedProgress)

/** The run that has failed. */
export const failRun = <T extends RunCursor>(kept: T, reason: RunFailure, now: DateTime.Utc): T =>
  withChanges(kept, { state: "failed", reason, wakeAt: null, endedAt: now }, endedProgress)

/** The run that somebody has ended. */
export const cancelRun = <T extends RunCursor>(kept: T, now: DateTime.Utc): T =>
  withChanges(kept, { state: "cancelled", reason: null, wakeAt: null, endedAt: now }, endedProgress)

/** How often a run has come to a node. Ids may be words such as `constructor`, which every object answers to. */
export const visitCount = ({ visits }: RunCursor["progress"], node: NodeId): number =>
  Object.hasOwn(visits, node) ? (visits[node] ?? 0) : 0

/** The run that comes to a node. It is on its way for so long only. */
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

/** The run that rests in its node until then, or until something else wakes it. */
export const restRun = <T extends RunCursor>(kept: T, until: DateTime.Utc | null, reason: RunWait | null = null): T =>
  withChanges(kept, { state: "waiting", reason, wakeAt: until }, { dueAt: until, isResting: true })

/** The run that rests in its node until something happens, or until then. */
export const restForEvent = <T extends RunCursor>(
  kept: T,
  until: DateTime.Utc,
  { since, subject }: Pick<RunProgress, "since" | "subject">
): T => withChanges(restRun(kept, until), {}, { since, subject })

/** The run whose action is tried again then, since something that it needs is not there. */
export const holdRun = <T extends RunCursor>(kept: T, reason: RunHold, since: DateTime.Utc, again: DateTime.Utc): T =>
  withChanges(kept, { state: "held", reason, wakeAt: null }, { dueAt: again, isResting: true, heldSince: since })

/** The run that is looked at again then. */
export const postponeRun = <T extends RunCursor>(kept: T, dueAt: DateTime.Utc, attempts = kept.progress.attempts): T =>
  withChanges(kept, {}, { dueAt, attempts })

/** The run that an event concerns. */
export const withTriggerEvent = <T extends RunCursor>(kept: T, event: NonNullable<WorkflowRun["event"]>): T =>
  withChanges(kept, { event }, { since: event.position })

/** The run that has reached a goal. */
export const withReachedGoal = <T extends RunCursor>(kept: T, goal: NodeId): T =>
  withChanges(kept, { goals: [...kept.run.goals, goal] }, {})

/** What is told of a step. */
export interface StepResult {
  readonly state: WorkflowStepState
  readonly effect?: ActionEffect | null
  readonly output?: Schema.Json
  readonly error?: ActionError | null
  readonly conditions?: ConditionExplanation | null
}

/** What a run did in the node where it is. */
export const toSteps = (
  { progress, run: { node } }: RunCursor,
  { conditions = null, effect = null, error = null, output = null, state }: StepResult,
  at: DateTime.Utc
): ReadonlyArray<PositionedStep> => {
  if (node === null) return []
  const step: WorkflowStep = { node, visit: visitCount(progress, node), state, effect, output, error, conditions, at }
  return [{ place: progress.places, step }]
}
