import { Schema } from "effect"
import { ContactId } from "../../crm/index.ts"
import { eventAppender } from "../../kernel/index.ts"
import { WorkflowId } from "../automations/index.ts"
import { NodeId } from "./graph/Node.ts"
import { EndedRunState, RunReason, WorkflowRunId } from "./runs/WorkflowRun.ts"
import { ArchivedRuns } from "./workflowTransitions.ts"

const about = { workflowId: WorkflowId }
const aboutRun = { ...about, runId: WorkflowRunId, contactId: Schema.NullOr(ContactId) }

export const WorkflowEvent = Schema.Union([
  Schema.Struct({ type: Schema.Literal("workflow.created"), ...about }),
  Schema.Struct({ type: Schema.Literal("workflow.updated"), ...about }),
  Schema.Struct({ type: Schema.Literal("workflow.published"), ...about, publishedVersion: Schema.Int }),
  Schema.Struct({ type: Schema.Literal("workflow.paused"), ...about }),
  Schema.Struct({ type: Schema.Literal("workflow.resumed"), ...about }),
  Schema.Struct({ type: Schema.Literal("workflow.archived"), ...about, runs: ArchivedRuns }),
  Schema.Struct({ type: Schema.Literal("workflow.deleted"), ...about }),
  Schema.Struct({ type: Schema.Literal("workflow.run_started"), ...aboutRun, workflowVersion: Schema.Int }),
  Schema.Struct({
    type: Schema.Literal("workflow.run_continued"),
    ...aboutRun,
    nodeId: NodeId.annotateKey({ description: "Wait that ended early." })
  }),
  Schema.Struct({
    type: Schema.Literal("workflow.run_ended"),
    ...aboutRun,
    state: EndedRunState,
    reason: Schema.NullOr(RunReason)
  }),
  Schema.Struct({ type: Schema.Literal("workflow.goal_reached"), ...aboutRun, goalId: NodeId })
])
export type WorkflowEvent = typeof WorkflowEvent.Type

/** Appends an event of this area in the commit of the change that it describes. */
export const appendEvent = eventAppender<WorkflowEvent>()
