import {
  type StoredWorkflowRun,
  type NewWorkflowRun,
  type PositionedStep,
  type RunProgress,
  WorkflowRun,
  type WorkflowStep
} from "@parley/domain/automation"
import { DateTime } from "effect"
import { asWritten, type Instant, utc, utcOrNull } from "../../kernel/columns.ts"

/** Progress fields that share a column: all except the due time and the hold. */
type Written = Omit<RunProgress, "dueAt" | "heldSince"> & { readonly heldSince: string | null }

export interface WorkflowRunRow extends Omit<
  WorkflowRun,
  "event" | "startedBy" | "wakeAt" | "rerunOf" | "startedAt" | "endedAt"
> {
  readonly lane: number
  readonly wakeAt: Instant | null
  readonly dueAt: Instant | null
  readonly position: bigint | null
  readonly type: string | null
  readonly startPosition: bigint | null
  readonly startType: string | null
  readonly rerunOf: WorkflowRun["id"] | null
  readonly progress: Written
  readonly startedAt: Instant
  readonly endedAt: Instant | null
  readonly revision: number
}

export const workflowRunColumns = `t.id, t.workflow_id AS "workflowId", t.workflow_version AS "workflowVersion", t.lane, t.state, t.reason,
  t.contact_id AS "contactId", t.key, t.node, t.wake_at AS "wakeAt", t.due_at AS "dueAt", t.goals, t.ended_by AS "endedBy", t.start_position AS "startPosition",
  t.start_type AS "startType", t.conditions, t.input, t.event_position AS position,
  t.event_type AS type, t.causation, t.rerun_of AS "rerunOf", t.progress, t.started_at AS "startedAt", t.ended_at AS "endedAt", t.revision`

const eventOf = (position: bigint | null, type: string | null) =>
  position === null || type === null ? null : { position: Number(position), type }

/** Public form of the row. */
export const workflowRunOf = ({
  causation,
  conditions,
  contactId,
  endedAt,
  endedBy,
  goals,
  id,
  input,
  key,
  node,
  position,
  reason,
  rerunOf,
  startedAt,
  startPosition,
  startType,
  state,
  type,
  wakeAt,
  workflowId,
  workflowVersion
}: WorkflowRunRow): WorkflowRun =>
  new WorkflowRun(
    {
      id,
      workflowId,
      workflowVersion,
      state,
      reason,
      contactId,
      key,
      node,
      wakeAt: utcOrNull(wakeAt),
      goals,
      endedBy,
      startedBy: eventOf(startPosition, startType),
      conditions,
      input,
      event: eventOf(position, type),
      causation,
      rerunOf: rerunOf === null ? null : { runId: rerunOf },
      startedAt: utc(startedAt),
      endedAt: utcOrNull(endedAt)
    },
    asWritten
  )

/** Stored form of the row. */
export const keptWorkflowRunOf = (row: WorkflowRunRow): StoredWorkflowRun => {
  const { dueAt, lane, progress, revision } = row
  const { heldSince } = progress
  return {
    run: workflowRunOf(row),
    progress: {
      ...progress,
      dueAt: utcOrNull(dueAt),
      heldSince: heldSince === null ? null : DateTime.makeUnsafe(heldSince)
    },
    lane,
    revision
  }
}

const iso = (at: DateTime.Utc | null) => (at === null ? null : DateTime.formatIso(at))

export const rowOfWorkflowRun = ({ lane, progress, run }: NewWorkflowRun) => {
  const { dueAt, heldSince, ...others } = progress
  return {
    id: run.id,
    workflow_id: run.workflowId,
    workflow_version: run.workflowVersion,
    lane,
    state: run.state,
    reason: run.reason,
    contact_id: run.contactId,
    key: run.key,
    node: run.node,
    wake_at: iso(run.wakeAt),
    due_at: iso(dueAt),
    goals: run.goals,
    ended_by: run.endedBy,
    start_position: run.startedBy?.position ?? null,
    start_type: run.startedBy?.type ?? null,
    conditions: run.conditions,
    input: run.input,
    event_position: run.event?.position ?? null,
    event_type: run.event?.type ?? null,
    causation: run.causation,
    rerun_of: run.rerunOf?.runId ?? null,
    progress: { ...others, heldSince: iso(heldSince) } satisfies Written,
    started_at: iso(run.startedAt),
    ended_at: iso(run.endedAt)
  }
}

export interface WorkflowStepRow extends Omit<WorkflowStep, "at"> {
  readonly at: Instant
}

/** Public form of a step row. */
export const workflowStepOf = ({ at, ...row }: WorkflowStepRow): WorkflowStep => ({ ...row, at: utc(at) })

export const rowOfWorkflowStep = ({ place, step }: PositionedStep) => ({
  position: place,
  ...step,
  at: DateTime.formatIso(step.at)
})
