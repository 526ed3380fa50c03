import { DateTime, Effect } from "effect"
import { type ContactId, resolveFilter } from "../../../crm/index.ts"
import {
  Ids,
  Locks,
  missingIdsAreInvalid,
  nextId,
  paged,
  type PageRequest,
  transact,
  useCase,
  ValidationFailed
} from "../../../kernel/index.ts"
import { recordAudit } from "../../../platform/audit/index.ts"
import { JobId, startJob } from "../../../platform/jobs/index.ts"
import { RunEnded, type WorkflowId } from "../../automations/index.ts"
import { Workflows } from "../Workflow.ts"
import { enrollJob, type WorkflowEnrollment } from "../contactEnrollment.ts"
import { appendEvent } from "../events.ts"
import { validateRunsMove, migrateRunsJob, type WorkflowRunsMove } from "../migrateRunsJob.ts"
import { toContinuation, type WorkflowRunContinuation } from "../runContinuation.ts"
import { isWorkflowRunOver, type WorkflowRunId, type WorkflowRunState } from "../runs/WorkflowRun.ts"
import { WorkflowRuns } from "../runs/WorkflowRuns.ts"
import { toLoadedWorkflow } from "../runs/runContext.ts"
import { explainRun, loadWorkflowHold, toWorkflowRunView, storedStatesFor } from "../runs/runHolds.ts"
import { applyToRun } from "../runs/savedRuns.ts"
import { callWorkflow, loadActiveVersion, type WorkflowRunInput } from "../starting/workflowCalls.ts"
import { requireReachOfGraph } from "../workflowPermissions.ts"
import { workflowStatusesAfter, WorkflowTransitionInvalid } from "../workflowTransitions.ts"

/** Starts a run for a contact. */
export const startWorkflowRun = useCase(
  {
    name: "workflows.startRun",
    access: { permission: "workflows.manage" },
    feature: "workflows",
    actsThrough: "workflow",
    audit: "workflow.run_started",
    emits: ["workflow.run_started"]
  },
  Effect.fnUntraced(function* ({ id, contactId, input = {} }: { readonly id: WorkflowId } & WorkflowRunInput) {
    const workflow = yield* loadActiveVersion(id)
    yield* requireReachOfGraph(workflow.graph)
    const call = { contactId, input, name: yield* (yield* Ids).next }
    const runId = yield* missingIdsAreInvalid(callWorkflow(workflow, call))
    yield* recordAudit(
      "workflow.run_started",
      { kind: "workflow_run", id: runId },
      { after: { workflowId: id, contactId } }
    )
    const run = yield* Effect.orDie((yield* WorkflowRuns).get(id, runId))
    return yield* explainRun(run)
  }, transact)
)

/** Locks a live run. A concurrent worker finishes its unit of work before this lock, or finds the run changed. */
const lockLiveRun = Effect.fnUntraced(function* (id: WorkflowId, runId: WorkflowRunId) {
  const runs = yield* WorkflowRuns
  const { contactId } = yield* runs.get(id, runId)
  const live = contactId === null ? [] : yield* runs.lockLive([contactId])
  const kept = live.find(({ run }) => run.id === runId)
  return kept === undefined || isWorkflowRunOver(kept.run) ? yield* new RunEnded() : kept
})

/** Cancels a run in its current node. */
export const cancelWorkflowRun = useCase(
  {
    name: "workflows.cancelRun",
    access: { permission: "workflows.manage" },
    feature: "workflows",
    actsThrough: "nothing",
    audit: "workflow.run_cancelled",
    emits: ["workflow.run_ended"]
  },
  Effect.fnUntraced(function* ({ id, runId }: { readonly id: WorkflowId; readonly runId: WorkflowRunId }) {
    const kept = yield* lockLiveRun(id, runId)
    const { run } = yield* Effect.orDie(applyToRun(kept, { _tag: "Cancelled", now: yield* DateTime.now }))
    yield* recordAudit(
      "workflow.run_cancelled",
      { kind: "workflow_run", id: runId },
      { before: { state: kept.run.state }, after: { state: run.state } }
    )
    return yield* explainRun(run)
  }, transact)
)

/** Ends the wait of a run now. */
export const continueWorkflowRun = useCase(
  {
    name: "workflows.continueRun",
    access: { permission: "workflows.manage" },
    feature: "workflows",
    actsThrough: "workflow",
    audit: "workflow.run_continued",
    emits: ["workflow.run_continued"]
  },
  Effect.fnUntraced(function* ({
    id,
    runId,
    ...continuation
  }: { readonly id: WorkflowId; readonly runId: WorkflowRunId } & WorkflowRunContinuation) {
    const kept = yield* lockLiveRun(id, runId)
    const { graph } = yield* Effect.orDie((yield* Workflows).version(id, kept.run.workflowVersion))
    yield* requireReachOfGraph(graph)
    const input = yield* toContinuation(toLoadedWorkflow(graph), kept, continuation)
    const { run } = yield* Effect.orDie(applyToRun(kept, input))
    const { contactId, workflowId } = run
    yield* appendEvent({ type: "workflow.run_continued", workflowId, runId, contactId, nodeId: input.node.id })
    yield* recordAudit(
      "workflow.run_continued",
      { kind: "workflow_run", id: runId },
      { before: { node: input.node.id }, after: { node: run.node } }
    )
    return yield* explainRun(run)
  }, transact)
)

/** Reads one run with its steps. Reads stay open on every plan. */
export const getWorkflowRun = useCase(
  { name: "workflows.getRun", access: { permission: "workflows.read" } },
  Effect.fnUntraced(function* ({ id, runId }: { readonly id: WorkflowId; readonly runId: WorkflowRunId }) {
    return yield* explainRun(yield* (yield* WorkflowRuns).get(id, runId))
  })
)

/** Selection of the runs of a workflow; absent or `null` means any. `position`: of the event that started the run. */
export interface WorkflowRunsRequest {
  readonly state?: WorkflowRunState | null
  readonly contactId?: ContactId | null
  readonly position?: number | null
}

/** Reads the live and ended runs of a workflow, latest first. Reads stay open on every plan. */
export const listWorkflowRuns = useCase(
  { name: "workflows.listRuns", access: { permission: "workflows.read" } },
  Effect.fnUntraced(function* ({
    id,
    page,
    contactId = null,
    position = null,
    state = null
  }: { readonly id: WorkflowId; readonly page: PageRequest } & WorkflowRunsRequest) {
    const hold = yield* loadWorkflowHold(id)
    const runs = yield* WorkflowRuns
    const filter = { states: storedStatesFor(state, hold), contactId, position }
    const { data, nextCursor } = yield* paged(
      `workflow_runs_by_start/${id}`,
      page,
      (slice) => runs.list(id, filter, slice),
      ({ progress: { from }, run: { id: runId, startedAt } }) => [DateTime.formatIso(startedAt), String(from), runId]
    )
    return { data: data.map(({ run }) => toWorkflowRunView(run, hold)), nextCursor }
  })
)

/** Enrolls all contacts of an audience in a workflow, with a background job. */
export const enrollContacts = useCase(
  {
    name: "workflows.enroll",
    access: { permission: "workflows.manage" },
    feature: "workflows",
    actsThrough: "workflow",
    audit: "workflow.enrolled",
    emits: ["job.started"]
  },
  Effect.fnUntraced(function* ({ id, audience }: { readonly id: WorkflowId } & WorkflowEnrollment) {
    const { graph } = yield* loadActiveVersion(id)
    yield* requireReachOfGraph(graph)
    yield* missingIdsAreInvalid(resolveFilter(audience, "/audience"))
    const jobId = yield* nextId(JobId)
    const begunAt = yield* DateTime.now
    const job = yield* startJob(enrollJob, { jobId, workflowId: id, audience, begunAt }, { id: jobId })
    yield* recordAudit("workflow.enrolled", { kind: "workflow", id }, { after: { jobId } })
    return job
  }, transact)
)

/** Moves the live runs of an earlier version to the published one, with a background job. */
export const migrateWorkflowRuns = useCase(
  {
    name: "workflows.migrateRuns",
    access: { permission: "workflows.manage" },
    feature: "workflows",
    actsThrough: "workflow",
    audit: "workflow.runs_moved",
    emits: ["job.started"]
  },
  Effect.fnUntraced(function* ({ id, ...move }: { readonly id: WorkflowId } & WorkflowRunsMove) {
    yield* (yield* Locks).exclusive("workflows")
    const { publishedVersion, status } = yield* (yield* Workflows).get(id)
    if (publishedVersion === null || (status !== "active" && status !== "paused")) {
      return yield* new WorkflowTransitionInvalid({ from: status, to: status, allowed: workflowStatusesAfter(status) })
    }
    const { graph } = yield* Effect.orDie((yield* Workflows).version(id, publishedVersion))
    yield* requireReachOfGraph(graph)
    const errors = yield* validateRunsMove(id, publishedVersion, move)
    if (errors.length > 0) return yield* new ValidationFailed({ errors })
    const { fromVersion, map = {}, missing = "stay" } = move
    const input = { fromVersion, toVersion: publishedVersion, map, missing }
    const job = yield* startJob(migrateRunsJob, { workflowId: id, ...input })
    yield* recordAudit("workflow.runs_moved", { kind: "workflow", id }, { after: { jobId: job.id, ...input } })
    return job
  }, transact)
)
