import { DateTime, Effect } from "effect"
import { record } from "../../../platform/audit/index.ts"
import type { WorkflowId } from "../../automations/index.ts"
import { resolveFilter } from "../../../crm/index.ts"
import { JobId, startJob } from "../../../platform/jobs/index.ts"
import { nextId, transact, useCase } from "../../../kernel/index.ts"
import { enrollJob } from "../enrolling/enrollJob.ts"
import type { WorkflowEnrollment } from "../enrolling/WorkflowEnrollment.ts"
import { requireReachOfGraph } from "../needs.ts"
import { enterable } from "../runs/starting/callWorkflow.ts"

/** Has all contacts of an audience enter a workflow, in the background. */
export const enrollContacts = useCase(
  "workflows.enroll",
  { access: { permission: "workflows.manage" }, gatedBy: "workflows", actsThrough: "workflow" },
  Effect.fnUntraced(function* (id: WorkflowId, { audience }: WorkflowEnrollment) {
    const { graph } = yield* enterable(id)
    yield* requireReachOfGraph(graph)
    yield* resolveFilter(audience, "/audience")
    const jobId = yield* nextId(JobId)
    const begunAt = yield* DateTime.now
    const job = yield* startJob(enrollJob, { jobId, workflowId: id, audience, begunAt }, { id: jobId })
    yield* record("workflow.enrolled", { kind: "workflow", id }, { after: { jobId } })
    return job
  }, transact)
)
