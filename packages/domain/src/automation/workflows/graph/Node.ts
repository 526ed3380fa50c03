import { Schema } from "effect"
import { Action, ConditionInput, Trigger } from "../../automations/index.ts"
import { NodeId } from "./NodeId.ts"
import { WaitNode } from "./Wait.ts"

/** What an event has to have in common with a run: its contact, conversation, order or cart. */
export const RunKey = Schema.Literals(["contact", "conversation", "order", "cart"])
export type RunKey = typeof RunKey.Type

/** What becomes of a run whose action fails: it ends, goes on, or goes elsewhere. */
export const OnError = Schema.Union([Schema.Literals(["end", "continue"]), Schema.Struct({ to: NodeId })])
export type OnError = typeof OnError.Type

/** Does something. */
export const ActionNode = Schema.Struct({
  id: NodeId,
  kind: Schema.Literal("action"),
  action: Action,
  onError: Schema.optionalKey(OnError).annotateKey({ description: "`end` if it is absent: the run fails." }),
  next: NodeId
}).annotate({ identifier: "WorkflowAction" })
export type ActionNode = typeof ActionNode.Type

/** Waits for an event, or until it has waited for too long. */
export const WaitForNode = Schema.Struct({
  id: NodeId,
  kind: Schema.Literal("wait_for"),
  event: Trigger,
  match: Schema.optionalKey(RunKey).annotateKey({ description: "`contact` if it is absent." }),
  if: Schema.optionalKey(ConditionInput),
  timeoutSeconds: Schema.Int.check(
    Schema.isBetween({ minimum: 60, maximum: 7_776_000 }, { message: "Expected 60 seconds to 90 days" })
  ),
  next: NodeId,
  timeout: NodeId
}).annotate({ identifier: "WorkflowWaitFor" })
export type WaitForNode = typeof WaitForNode.Type

/** Takes the first branch whose condition holds. */
export const BranchNode = Schema.Struct({
  id: NodeId,
  kind: Schema.Literal("branch"),
  branches: Schema.Array(Schema.Struct({ if: ConditionInput, next: NodeId })).check(
    Schema.isBetweenLength(1, 20, { message: "Expected 1 to 20 branches" })
  ),
  else: NodeId
}).annotate({ identifier: "WorkflowBranch" })
export type BranchNode = typeof BranchNode.Type

/** Takes one of several paths, the same for the same contact in every version. */
export const SplitNode = Schema.Struct({
  id: NodeId,
  kind: Schema.Literal("split"),
  paths: Schema.Array(
    Schema.Struct({
      percent: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 }, { message: "Expected 1 to 100" })),
      next: NodeId
    })
  ).check(Schema.isBetweenLength(1, 20, { message: "Expected 1 to 20 paths" }))
}).annotate({ identifier: "WorkflowSplit" })
export type SplitNode = typeof SplitNode.Type

/** Ends the run. */
export const EndNode = Schema.Struct({ id: NodeId, kind: Schema.Literal("end") }).annotate({
  identifier: "WorkflowEnd"
})
export type EndNode = typeof EndNode.Type

/** One step of a workflow. */
export const WorkflowNode = Schema.Union([ActionNode, WaitNode, WaitForNode, BranchNode, SplitNode, EndNode])
export type WorkflowNode = typeof WorkflowNode.Type
