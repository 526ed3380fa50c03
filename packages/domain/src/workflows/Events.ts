import { Schema } from "effect"
import { WorkflowId } from "../automation/index.ts"
import { ArchivedRuns } from "./transitions.ts"

const about = { workflowId: WorkflowId }

/** Events of workflows. */
export const WorkflowEvent = Schema.Union([
  Schema.Struct({ type: Schema.Literal("workflow.created"), ...about }),
  Schema.Struct({ type: Schema.Literal("workflow.updated"), ...about }),
  Schema.Struct({ type: Schema.Literal("workflow.published"), ...about, publishedVersion: Schema.Int }),
  Schema.Struct({ type: Schema.Literal("workflow.paused"), ...about }),
  Schema.Struct({ type: Schema.Literal("workflow.resumed"), ...about }),
  Schema.Struct({ type: Schema.Literal("workflow.archived"), ...about, runs: ArchivedRuns }),
  Schema.Struct({ type: Schema.Literal("workflow.deleted"), ...about })
])
export type WorkflowEvent = typeof WorkflowEvent.Type
