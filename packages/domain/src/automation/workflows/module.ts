import { Effect } from "effect"
import type { WebhookSubscriptionId } from "../../integrations/webhooks/index.ts"
import { defineArea, eventResource, type EventShape, idIn, type PluginId, seenWith } from "../../kernel/index.ts"
import { type NamedInDefinition, nameOfNamed, WorkflowId } from "../automations/index.ts"
import type { ScheduleId } from "../schedules/index.ts"
import { Workflow, Workflows } from "./Workflow.ts"
import { workflowRunWorks } from "./advancing/runLanes.ts"
import { enrollJob } from "./contactEnrollment.ts"
import { WorkflowEvent } from "./events.ts"
import { workflowReactions } from "./following/workflowReactions.ts"
import { namedInGraph } from "./graph/graphContents.ts"
import { moveRunsJob } from "./moveRunsJob.ts"
import { ExplainedWorkflowRun, WorkflowRunId } from "./runs/WorkflowRun.ts"
import { ContactWorkflowRuns, WorkflowRuns } from "./runs/WorkflowRuns.ts"
import { workflowCallEnd } from "./runs/actionResults.ts"
import { WorkflowHolds } from "./runs/runHolds.ts"
import { workflowRunHolding } from "./runs/savedRuns.ts"
import { workflowStart } from "./starting/workflowCalls.ts"
import { getWorkflowRun } from "./use-cases/workflowRuns.ts"
import { getWorkflow } from "./use-cases/workflows.ts"

const workflows = (event: EventShape): [WorkflowId] | null => {
  const id = idIn(event, "workflowId", WorkflowId)
  return id === null ? null : [id]
}

const runs = (event: EventShape): [WorkflowId, WorkflowRunId] | null => {
  const [id, runId] = [idIn(event, "workflowId", WorkflowId), idIn(event, "runId", WorkflowRunId)]
  return id === null || runId === null ? null : [id, runId]
}

/** What the events of this area are about, as GET answers it. */
const workflowResources = [
  eventResource("workflow", getWorkflow, Workflow, workflows),
  eventResource(
    ["workflow.run_started", "workflow.run_ended", "workflow.goal_reached"],
    getWorkflowRun,
    ExplainedWorkflowRun,
    runs
  )
] as const

/** The ports that a storage adapter provides of this area. */
const workflowsStorage = [ContactWorkflowRuns, WorkflowHolds, WorkflowRuns, Workflows] as const

/** Every workflow takes room, in whatever status it is. */
const workflowUse = {
  limit: "workflows",
  lock: "workflows",
  count: Effect.flatMap(Workflows, (workflows) => workflows.count())
} as const

/** So many are told of those that use something. */
const mostTold = 10

const naming = Effect.fnUntraced(function* (field: NamedInDefinition, id: string) {
  const name = nameOfNamed(field, id)
  const inForce = yield* (yield* Workflows).inForce()
  return inForce
    .filter(({ graph }) => namedInGraph(graph).includes(name))
    .slice(0, mostTold)
    .map(({ id }) => ({ kind: "workflow", id }))
})

/** The workflows that ask a plugin to act. */
const workflowsOfPlugin = { of: (id: PluginId) => naming("pluginId", id) }

/** The workflows that call a webhook subscription. */
const workflowsOfSubscription = { of: (id: WebhookSubscriptionId) => naming("webhookSubscriptionId", id) }

/** The workflows that go by a schedule. */
const workflowsOfSchedule = { of: (id: ScheduleId) => naming("scheduleId", id) }

/** What this area says of itself. */
export const workflowsArea = defineArea({
  name: "automation/workflows",
  storage: workflowsStorage,
  events: seenWith(WorkflowEvent, {
    "workflow.created": "workflows.read",
    "workflow.updated": "workflows.read",
    "workflow.published": "workflows.read",
    "workflow.paused": "workflows.read",
    "workflow.resumed": "workflows.read",
    "workflow.archived": "workflows.read",
    "workflow.deleted": "workflows.read",
    "workflow.run_started": "workflows.read",
    "workflow.run_ended": "workflows.read",
    "workflow.goal_reached": "workflows.read"
  }),
  eventResources: workflowResources,
  works: workflowRunWorks,
  jobs: [enrollJob, moveRunsJob],
  reactions: workflowReactions,
  contactHoldings: [workflowRunHolding],
  pluginCallEnds: [workflowCallEnd],
  workflowStarts: [workflowStart],
  permissions: ["workflows.read", "workflows.manage"],
  features: ["workflows"],
  limitUses: [workflowUse],
  pluginUses: [workflowsOfPlugin],
  subscriptionUses: [workflowsOfSubscription],
  scheduleUses: [workflowsOfSchedule]
})
