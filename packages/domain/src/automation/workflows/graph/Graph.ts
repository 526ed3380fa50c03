import { Schema } from "effect"
import { ConditionInput, Trigger } from "../../automations/index.ts"
import { NodeId, RunKey, WorkflowNode } from "./Node.ts"

/** Rule for repeated runs of the same key. */
export const Reentry = Schema.Union([
  Schema.Literals(["always", "never"]),
  Schema.Struct({
    afterSeconds: Schema.Int.check(
      Schema.isBetween({ minimum: 1, maximum: 31_536_000 }, { message: "Expected 1 second to 365 days" })
    ).annotateKey({ description: "Minimum time after the end of the last run." })
  })
])
export type Reentry = typeof Reentry.Type

/** Start of runs. */
export const WorkflowEntry = Schema.Struct({
  event: Schema.optionalKey(Schema.NullOr(Trigger)).annotateKey({
    description: "Event that starts a run; null or missing for API calls only."
  }),
  if: Schema.optionalKey(ConditionInput).annotateKey({
    description: "Conditions of the start. Default: `{}`, which always holds."
  }),
  by: Schema.optionalKey(RunKey).annotateKey({
    description: "Resource with at most one live run. Default: `contact`."
  }),
  reentry: Schema.optionalKey(Reentry).annotateKey({ description: "`always` if it is absent." }),
  maxLateSeconds: Schema.optionalKey(
    Schema.Int.check(
      Schema.isBetween({ minimum: 60, maximum: 2_592_000 }, { message: "Expected 60 seconds to 30 days" })
    )
  ).annotateKey({ description: "A run that starts later exits. Default: 24 hours." }),
  next: NodeId
}).annotate({ identifier: "WorkflowEntry" })
export type WorkflowEntry = typeof WorkflowEntry.Type

/** Goal of the workflow. */
export const WorkflowGoal = Schema.Struct({
  id: NodeId,
  event: Schema.optionalKey(Schema.NullOr(Trigger)).annotateKey({
    description: "Event that reaches the goal. If null or missing, the goal is reached when its condition holds."
  }),
  if: Schema.optionalKey(ConditionInput),
  exit: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "Whether the run exits at the goal. Default: true."
  })
}).annotate({ identifier: "WorkflowGoal" })
export type WorkflowGoal = typeof WorkflowGoal.Type

/** Condition or event that makes a contact leave the workflow. */
export const WorkflowExit = Schema.Struct({
  id: NodeId,
  event: Schema.optionalKey(Schema.NullOr(Trigger)),
  if: Schema.optionalKey(ConditionInput)
}).annotate({ identifier: "WorkflowExit" })
export type WorkflowExit = typeof WorkflowExit.Type

const GraphStruct = Schema.Struct({
  entry: Schema.optionalKey(WorkflowEntry),
  goals: Schema.optionalKey(
    Schema.Array(WorkflowGoal).check(Schema.isMaxLength(10, { message: "Expected at most 10 goals" }))
  ),
  exits: Schema.optionalKey(
    Schema.Array(WorkflowExit).check(Schema.isMaxLength(10, { message: "Expected at most 10 exits" }))
  ),
  nodes: Schema.Array(WorkflowNode).check(Schema.isMaxLength(200, { message: "Expected at most 200 nodes" }))
}).annotate({ identifier: "WorkflowGraph" })
type GraphStruct = typeof GraphStruct.Type

/** Graph of a workflow. As an interface, it keeps its name in inferred types instead of expanding all its parts. */
export interface Graph extends GraphStruct {}

/** Graph as stored and in API input. Its consistency is checked when it is published. */
export const Graph: Schema.Codec<Graph, unknown> = GraphStruct

export const emptyGraph: Graph = { nodes: [] }
