import { Effect } from "effect"
import {
  idInput,
  defineArea,
  defineEventResource,
  type EventShape,
  decodeIdField,
  defineEvents
} from "../../kernel/index.ts"
import { type ReferenceField, toReferenceKey, WorkflowId } from "../automations/index.ts"
import { Workflow, Workflows } from "./Workflow.ts"
import { workflowRunTasks } from "./advancing/runLanes.ts"
import { cancelWorkflowRunsJob } from "./cancelRunsJob.ts"
import { enrollJob } from "./contactEnrollment.ts"
import { WorkflowEvent } from "./events.ts"
import { workflowEventConsumers } from "./eventHandling/workflowEventConsumers.ts"
import { referencesInGraph } from "./graph/graphContents.ts"
import { migrateRunsJob } from "./migrateRunsJob.ts"
import { rerunWorkflowRunsJob } from "./rerunRunsJob.ts"
import { ExplainedWorkflowRun, WorkflowRunId } from "./runs/WorkflowRun.ts"
import { ContactWorkflowRuns, WorkflowRuns } from "./runs/WorkflowRuns.ts"
import { workflowCallListener } from "./runs/actionResults.ts"
import { WorkflowHolds } from "./runs/runHolds.ts"
import { workflowRunData } from "./runs/savedRuns.ts"
import { getWorkflowRun } from "./use-cases/workflowRuns.ts"
import { getWorkflow } from "./use-cases/workflows.ts"

const runInput = (event: EventShape): { readonly id: WorkflowId; readonly runId: WorkflowRunId } | null => {
  const [id, runId] = [decodeIdField(event, "workflowId", WorkflowId), decodeIdField(event, "runId", WorkflowRunId)]
  return id === null || runId === null ? null : { id, runId }
}

/** Resources of the events of this area, as GET returns them. */
const workflowResources = [
  defineEventResource("workflow", getWorkflow, Workflow, idInput("workflowId", WorkflowId)),
  defineEventResource(
    ["workflow.run_started", "workflow.run_continued", "workflow.run_ended", "workflow.goal_reached"],
    getWorkflowRun,
    ExplainedWorkflowRun,
    runInput
  )
] as const

const workflowsStorage = [ContactWorkflowRuns, WorkflowHolds, WorkflowRuns, Workflows] as const

/** Every workflow counts against the limit, in any status. */
const workflowUsage = {
  limit: "workflows",
  lock: "workflows",
  count: Effect.flatMap(Workflows, (workflows) => workflows.count())
} as const

/** Maximum number of reported dependents. */
const maxDependents = 10

const findWorkflowsWith = Effect.fnUntraced(function* (field: ReferenceField, id: string) {
  const name = toReferenceKey(field, id)
  const inForce = yield* (yield* Workflows).inForce()
  return inForce
    .filter(({ graph }) => referencesInGraph(graph).includes(name))
    .slice(0, maxDependents)
    .map(({ id }) => ({ kind: "workflow", id }))
})

const workflowDependents = [
  { of: "plugin", find: (id: string) => findWorkflowsWith("pluginId", id) },
  { of: "webhook_subscription", find: (id: string) => findWorkflowsWith("webhookSubscriptionId", id) },
  { of: "schedule", find: (id: string) => findWorkflowsWith("scheduleId", id) }
] as const

export const workflowsArea = defineArea({
  name: "automation/workflows",
  storage: workflowsStorage,
  events: defineEvents(WorkflowEvent, {
    "workflow.created": "workflows.read",
    "workflow.updated": "workflows.read",
    "workflow.published": "workflows.read",
    "workflow.paused": "workflows.read",
    "workflow.resumed": "workflows.read",
    "workflow.archived": "workflows.read",
    "workflow.deleted": "workflows.read",
    "workflow.run_started": "workflows.read",
    "workflow.run_continued": "workflows.read",
    "workflow.run_ended": "workflows.read",
    "workflow.goal_reached": "workflows.read"
  }),
  eventResources: workflowResources,
  backgroundTasks: workflowRunTasks,
  jobs: [enrollJob, migrateRunsJob, cancelWorkflowRunsJob, rerunWorkflowRunsJob],
  eventConsumers: workflowEventConsumers,
  contactDataOwners: [workflowRunData],
  actionCallEnds: [workflowCallListener],
  permissions: ["workflows.read", "workflows.manage"],
  features: ["workflows"],
  limitUses: [workflowUsage],
  dependents: workflowDependents
})
