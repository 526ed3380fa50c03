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
import type { KeptWorkflowRun, PlacedStep, RunProgress } from "./WorkflowRuns.ts"

/** So many nodes does a run come to at most. */
export const mostPlaces = 1_000

/** What moves: a run, and how far it has come. */
export interface Traveller {
  readonly run: WorkflowRun
  readonly progress: RunProgress
}

/** A traveller after a move, with what is told of it. */
export interface Moved<T extends Traveller = KeptWorkflowRun> {
  readonly kept: T
  readonly steps: ReadonlyArray<PlacedStep>
}

const changed = <T extends Traveller>(
  kept: T,
  run: Partial<Omit<WorkflowRun, keyof typeof WorkflowRun>>,
  progress: Partial<RunProgress>
): T => ({ ...kept, run: new WorkflowRun({ ...kept.run, ...run }), progress: { ...kept.progress, ...progress } })

const over = { dueAt: null, isResting: false, heldSince: null } as const

/** The run that goes on by another version. */
export const transferred = <T extends Traveller>(kept: T, workflowVersion: number): T =>
  changed(kept, { workflowVersion }, {})

/** The run that has come to its end. */
export const completed = <T extends Traveller>(kept: T, now: DateTime.Utc): T =>
  changed(kept, { state: "completed", reason: null, wakeAt: null, endedAt: now }, over)

/** The run that has left. */
export const exited = <T extends Traveller>(kept: T, reason: ExitReason, now: DateTime.Utc): T =>
  changed(kept, { state: "exited", reason, wakeAt: null, endedAt: now }, over)

/** The run that has failed. */
export const failed = <T extends Traveller>(kept: T, reason: RunFailure, now: DateTime.Utc): T =>
  changed(kept, { state: "failed", reason, wakeAt: null, endedAt: now }, over)

/** The run that somebody has ended. */
export const cancelled = <T extends Traveller>(kept: T, now: DateTime.Utc): T =>
  changed(kept, { state: "cancelled", reason: null, wakeAt: null, endedAt: now }, over)

/** How often a run has come to a node. Ids may be words such as `constructor`, which every object answers to. */
export const visitsOf = ({ visits }: Traveller["progress"], node: NodeId): number =>
  Object.hasOwn(visits, node) ? (visits[node] ?? 0) : 0

/** The run that comes to a node. It is on its way for so long only. */
export const enter = <T extends Traveller>(kept: T, node: NodeId, now: DateTime.Utc): T => {
  const { places, visits } = kept.progress
  if (places >= mostPlaces) return failed(kept, "step_limit", now)
  return changed(
    kept,
    { state: "running", reason: null, node, wakeAt: null },
    {
      dueAt: now,
      isResting: false,
      visits: { ...visits, [node]: visitsOf(kept.progress, node) + 1 },
      places: places + 1,
      subject: null,
      attempts: 0,
      heldSince: null
    }
  )
}

/** The run that rests in its node until then, or until something else wakes it. */
export const rest = <T extends Traveller>(kept: T, until: DateTime.Utc | null, reason: RunWait | null = null): T =>
  changed(kept, { state: "waiting", reason, wakeAt: until }, { dueAt: until, isResting: true })

/** The run that rests in its node until something happens, or until then. */
export const restFor = <T extends Traveller>(
  kept: T,
  until: DateTime.Utc,
  { since, subject }: Pick<RunProgress, "since" | "subject">
): T => changed(rest(kept, until), {}, { since, subject })

/** The run whose action is tried again then, since something that it needs is not there. */
export const held = <T extends Traveller>(kept: T, reason: RunHold, since: DateTime.Utc, again: DateTime.Utc): T =>
  changed(kept, { state: "held", reason, wakeAt: null }, { dueAt: again, isResting: true, heldSince: since })

/** The run that is looked at again then. */
export const postponed = <T extends Traveller>(kept: T, dueAt: DateTime.Utc, attempts = kept.progress.attempts): T =>
  changed(kept, {}, { dueAt, attempts })

/** The run that an event concerns. */
export const seeing = <T extends Traveller>(kept: T, event: NonNullable<WorkflowRun["event"]>): T =>
  changed(kept, { event }, { since: event.position })

/** The run that has reached a goal. */
export const reaching = <T extends Traveller>(kept: T, goal: NodeId): T =>
  changed(kept, { goals: [...kept.run.goals, goal] }, {})

/** What is told of a step. */
export interface Told {
  readonly state: WorkflowStepState
  readonly effect?: ActionEffect | null
  readonly output?: Schema.Json
  readonly error?: ActionError | null
  readonly conditions?: ConditionExplanation | null
}

/** What a run did in the node where it is. */
export const stepIn = (
  { progress, run: { node } }: Traveller,
  { conditions = null, effect = null, error = null, output = null, state }: Told,
  at: DateTime.Utc
): ReadonlyArray<PlacedStep> => {
  if (node === null) return []
  const step: WorkflowStep = { node, visit: visitsOf(progress, node), state, effect, output, error, conditions, at }
  return [{ place: progress.places, step }]
}
