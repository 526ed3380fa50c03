import { Schema } from "effect"
import { Name } from "../../platform/identity/index.ts"
import { Timestamp } from "../../kernel/index.ts"
import { Graph } from "./graph/Graph.ts"
import { WorkflowId } from "../automations/index.ts"
import { ArchivedRuns, WorkflowStatus } from "./transitions.ts"

const WorkflowName = Name.check(Schema.isMaxCodePoints(120, { message: "Expected at most 120 characters" }))

/** A way that contacts are led along, step by step. */
export class Workflow extends Schema.Class<Workflow>("Workflow")({
  id: WorkflowId,
  name: WorkflowName,
  status: WorkflowStatus,
  publishedVersion: Schema.NullOr(Schema.Int).annotateKey({
    description: "Which version new runs are of; null before the first one is published."
  }),
  graph: Graph.annotateKey({ description: "The draft of the next version." }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  version: Schema.Int
}) {}

/** What is said of a new workflow. */
export const NewWorkflow = Schema.Struct({ name: WorkflowName, graph: Schema.optionalKey(Graph) }).annotate({
  identifier: "NewWorkflow"
})
export type NewWorkflow = typeof NewWorkflow.Type

/** What may be changed of a workflow; an absent field stays. */
export const WorkflowPatch = Schema.Struct({
  name: Schema.optionalKey(WorkflowName),
  graph: Schema.optionalKey(Graph)
}).annotate({ identifier: "WorkflowPatch" })
export type WorkflowPatch = typeof WorkflowPatch.Type

/** What a workflow does today. */
export interface WorkflowInForce {
  readonly id: WorkflowId
  readonly graph: Graph
}

/** What becomes of a workflow that is archived. */
export const WorkflowArchiving = Schema.Struct({
  runs: Schema.optionalKey(ArchivedRuns).annotateKey({
    description: "What becomes of its live runs: `finish` if it is absent."
  })
}).annotate({ identifier: "WorkflowArchiving" })
export type WorkflowArchiving = typeof WorkflowArchiving.Type

/** A version that was published. It never changes. */
export class WorkflowVersion extends Schema.Class<WorkflowVersion>("WorkflowVersion")({
  number: Schema.Int,
  graph: Graph,
  publishedAt: Timestamp
}) {}

/** A workflow as it is published: what new runs of it go by. */
export interface PublishedWorkflow {
  readonly id: WorkflowId
  readonly number: number
  readonly graph: Graph
}

/** A workflow that begins with an event. */
export interface BeginningWorkflow extends PublishedWorkflow {
  /** The position in the log when it became active last: what was logged until then begins nothing. */
  readonly activeAfter: number
}
