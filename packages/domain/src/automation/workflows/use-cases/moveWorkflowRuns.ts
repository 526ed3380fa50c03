import { Effect } from "effect"
import { record } from "../../../platform/audit/index.ts"
import type { WorkflowId } from "../../automations/index.ts"
import { startJob } from "../../../platform/jobs/index.ts"
import { Locks, transact, useCase, ValidationFailed } from "../../../kernel/index.ts"
import { requireReachOfGraph } from "../needs.ts"
import { faultsOfMove } from "../transferring/faultsOfMove.ts"
import { moveRunsJob } from "../transferring/moveRunsJob.ts"
import type { WorkflowRunsMove } from "../transferring/WorkflowRunsMove.ts"
import { WorkflowTransitionInvalid, workflowStatusesAfter } from "../transitions.ts"
import { Workflows } from "../Workflows.ts"

/** Has the live runs of an earlier version go on by the published one, in the background. */
export const moveWorkflowRuns = useCase(
  "workflows.move_runs",
  { access: { permission: "workflows.manage" }, gatedBy: "workflows", actsThrough: "workflow" },
  Effect.fnUntraced(function* (id: WorkflowId, move: WorkflowRunsMove) {
    yield* (yield* Locks).exclusive("workflows")
    const { publishedVersion, status } = yield* (yield* Workflows).get(id)
    if (publishedVersion === null || (status !== "active" && status !== "paused")) {
      return yield* new WorkflowTransitionInvalid({ from: status, to: status, allowed: workflowStatusesAfter(status) })
    }
    const { graph } = yield* Effect.orDie((yield* Workflows).version(id, publishedVersion))
    yield* requireReachOfGraph(graph)
    const errors = yield* faultsOfMove(id, publishedVersion, move)
    if (errors.length > 0) return yield* new ValidationFailed({ errors })
    const { fromVersion, map = {}, missing = "stay" } = move
    const said = { fromVersion, toVersion: publishedVersion, map, missing }
    const job = yield* startJob(moveRunsJob, { workflowId: id, ...said })
    yield* record("workflow.runs_moved", { kind: "workflow", id }, { after: { jobId: job.id, ...said } })
    return job
  }, transact)
)
