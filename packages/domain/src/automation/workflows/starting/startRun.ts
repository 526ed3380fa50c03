import { DateTime, Effect, type Schema } from "effect"
import type { ContactId } from "../../../crm/index.ts"
import { type Causation, CurrentCausation, Ids } from "../../../kernel/index.ts"
import { abortReason, causedBy, type ConditionExplanation, laneOf } from "../../automations/index.ts"
import type { PublishedWorkflow } from "../Workflow.ts"
import type { Reentry } from "../graph/Graph.ts"
import { WorkflowRun, WorkflowRunId } from "../runs/WorkflowRun.ts"
import { type NewWorkflowRun, type RunProgress, WorkflowRuns } from "../runs/WorkflowRuns.ts"
import { stepFromOutside } from "../runs/outsideInputs.ts"
import { toRunState } from "../runs/runState.ts"
import { scheduleWorkflowLanes, publishWorkflowRunEnds, publishWorkflowRunStart } from "../runs/savedRuns.ts"

/** Origin of a run. */
export interface WorkflowRunStart {
  /** Identifies the start within the workflow. The same name starts the same run. */
  readonly name: string
  readonly contactId: ContactId
  /** A key has at most one live run. */
  readonly key: string
  readonly event: WorkflowRun["event"]
  readonly causation: Causation | null
  /** Held conditions of the entry; absent without conditions. */
  readonly conditions?: ConditionExplanation | undefined
  readonly input: Readonly<Record<string, Schema.Json>>
  /** Log position of the start. */
  readonly from: number
  /** Planned start time. The delay of the run counts from it. */
  readonly dueAt: DateTime.Utc
  /** Ended run that the new run repeats; absent for a new entry. */
  readonly rerunOf?: WorkflowRun
}

/**
 * Result of a start. `taken`: the key has another live run, or the workflow is not active. `reentry`: the key cannot
 * enter again now. `aborted`: the run is stored, but never started.
 */
export type WorkflowRunStartResult =
  | { readonly kind: "started" | "aborted"; readonly id: WorkflowRunId }
  | { readonly kind: "taken" | "reentry" }

/** Whether the key can enter again after its last run ended. */
const isReentryAllowed = (reentry: Reentry, lastEnd: DateTime.Utc | null, now: DateTime.Utc): boolean => {
  if (lastEnd === null || reentry === "always") return true
  if (reentry === "never") return false
  return DateTime.isLessThanOrEqualTo(DateTime.add(lastEnd, { seconds: reentry.afterSeconds }), now)
}

/** A repeated run belongs to the entry of its run, unless the key has entered again since. */
const isSameEntry = ({ rerunOf }: WorkflowRunStart, lastEnd: DateTime.Utc | null): boolean =>
  rerunOf?.endedAt != null && lastEnd !== null && DateTime.Equivalence(rerunOf.endedAt, lastEnd)

const progressOf = ({ from }: WorkflowRunStart): RunProgress => ({
  dueAt: null,
  isResting: false,
  visits: {},
  places: 0,
  subject: null,
  from,
  since: from,
  attempts: 0,
  heldSince: null
})

/** Builds a run before its first node. */
export const buildWorkflowRun = (
  workflow: PublishedWorkflow,
  start: WorkflowRunStart,
  id: WorkflowRunId,
  now: DateTime.Utc
): NewWorkflowRun => ({
  run: new WorkflowRun({
    id,
    workflowId: workflow.id,
    workflowVersion: workflow.number,
    state: "running",
    reason: null,
    contactId: start.contactId,
    key: start.key,
    node: null,
    wakeAt: null,
    goals: [],
    endedBy: null,
    startedBy: start.event,
    conditions: start.conditions ?? null,
    input: start.input,
    event: start.event,
    causation: start.causation,
    rerunOf: start.rerunOf === undefined ? null : { runId: start.rerunOf.id },
    startedAt: now,
    endedAt: null
  }),
  progress: progressOf(start),
  lane: laneOf(start.contactId)
})

const refusedStart = (kind: "taken" | "reentry"): WorkflowRunStartResult => ({ kind })

const recordedStart = (kind: "started" | "aborted", id: WorkflowRunId): WorkflowRunStartResult => ({ kind, id })

/** Derives the run id from the name. */
export const runIdOf = Effect.fnUntraced(function* ({ id }: Pick<PublishedWorkflow, "id">, name: string) {
  return WorkflowRunId.make(yield* (yield* Ids).derived(id, name))
})

/** Starts a run in the unit of work of the caller, unless its key cannot enter. */
export const startRun = Effect.fnUntraced(function* (workflow: PublishedWorkflow, start: WorkflowRunStart) {
  const runs = yield* WorkflowRuns
  const now = yield* DateTime.now
  const { entry } = workflow.graph
  if (entry === undefined) return refusedStart("reentry")
  const id = yield* runIdOf(workflow, start.name)
  const run = buildWorkflowRun(workflow, start, id, now)
  const aborted = abortReason(start.causation, { kind: "workflow", id: workflow.id })
  const begin = { _tag: "Started", now, node: entry.next, dueAt: start.dueAt, aborted } as const
  const { state } = stepFromOutside(toRunState(run), begin)
  const begun: NewWorkflowRun = { run: state.run, progress: state.progress, lane: run.lane }
  if (aborted !== null) {
    const causation = causedBy(start.causation, { kind: "workflow", id: workflow.id }, start.event?.position ?? null)
    if (yield* runs.start(begun)) {
      yield* Effect.provideService(publishWorkflowRunEnds([begun.run]), CurrentCausation, causation)
    }
    return recordedStart("aborted", id)
  }
  const { reentry = "always" } = entry
  const lastEnd = reentry === "always" ? null : yield* runs.lastEnd(workflow.id, start.key)
  if (!isSameEntry(start, lastEnd) && !isReentryAllowed(reentry, lastEnd, now)) return refusedStart("reentry")
  if (!(yield* runs.start(begun))) return refusedStart("taken")
  yield* publishWorkflowRunStart(begun.run)
  yield* scheduleWorkflowLanes([begun.lane])
  return recordedStart("started", id)
})
