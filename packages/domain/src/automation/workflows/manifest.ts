import { defineArea, seenWith } from "../../kernel/index.ts"
import { moveRunsJob } from "./transferring/moveRunsJob.ts"
import { enrollJob } from "./enrolling/enrollJob.ts"
import { workflowResources } from "./eventResources.ts"
import { WorkflowEvent } from "./Events.ts"
import { workflowCallEnd } from "./runs/pluginCallEnd.ts"
import { workflowReactions } from "./runs/Reactions.ts"
import { workflowStart } from "./runs/starting/workflowStart.ts"
import { workflowRunWorks } from "./runs/work.ts"
import { workflowRunHolding } from "./runs/workflowRunHolding.ts"
import { workflowsStorage } from "./Storage.ts"
import { workflowsOfPlugin, workflowsOfSchedule, workflowsOfSubscription, workflowUse } from "./usage.ts"

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
