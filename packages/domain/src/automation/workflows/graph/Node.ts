import { Schema } from "effect"
import { ClockTime, Weekday, ScheduleZone } from "../../../campaigns/index.ts"
import { Action, ConditionInput, StepName, Trigger } from "../../automations/index.ts"
import { ScheduleId } from "../../schedules/index.ts"

/** Name of a node, a goal or an exit in its graph. */
export const NodeId = StepName.pipe(Schema.brand("NodeId"))
export type NodeId = typeof NodeId.Type

const maxWaitSeconds = 31_536_000

/** Local time, on any day or on specific weekdays. */
export const LocalMoment = Schema.Struct({
  localTime: ClockTime,
  days: Schema.optionalKey(
    Schema.Array(Weekday).check(
      Schema.isBetweenLength(1, 7, { message: "Expected 1 to 7 days of the week" }),
      Schema.isUnique({ message: "Expected each day once" })
    )
  ).annotateKey({ description: "Default: any day." }),
  zone: Schema.optionalKey(ScheduleZone).annotateKey({
    description: "Time zone of the wait. Default: `organization`."
  })
}).annotate({ identifier: "WorkflowLocalMoment" })
export type LocalMoment = typeof LocalMoment.Type

/** Waits for a duration, then until a local time, then until a schedule opens. At least one is required. */
export const WaitNode = Schema.Struct({
  id: NodeId,
  kind: Schema.Literal("wait"),
  seconds: Schema.optionalKey(
    Schema.Int.check(
      Schema.isBetween({ minimum: 60, maximum: maxWaitSeconds }, { message: "Expected 60 seconds to 365 days" })
    )
  ),
  until: Schema.optionalKey(LocalMoment),
  scheduleId: Schema.optionalKey(ScheduleId),
  next: NodeId
}).annotate({ identifier: "WorkflowWait" })
export type WaitNode = typeof WaitNode.Type

/** Subject that an event must share with a run: the contact, conversation, order or cart. */
export const RunKey = Schema.Literals(["contact", "conversation", "order", "cart"])
export type RunKey = typeof RunKey.Type

/** Policy for a failed action: end the run, continue, or go to another node. */
export const OnError = Schema.Union([Schema.Literals(["end", "continue"]), Schema.Struct({ to: NodeId })])
export type OnError = typeof OnError.Type

/** Performs an action. */
export const ActionNode = Schema.Struct({
  id: NodeId,
  kind: Schema.Literal("action"),
  action: Action,
  onError: Schema.optionalKey(OnError).annotateKey({ description: "Default: `end`, and the run fails." }),
  next: NodeId
}).annotate({ identifier: "WorkflowAction" })
export type ActionNode = typeof ActionNode.Type

/** Waits for an event until a timeout. */
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

export const BranchNode = Schema.Struct({
  id: NodeId,
  kind: Schema.Literal("branch"),
  branches: Schema.Array(Schema.Struct({ if: ConditionInput, next: NodeId })).check(
    Schema.isBetweenLength(1, 20, { message: "Expected 1 to 20 branches" })
  ),
  else: NodeId
}).annotate({ identifier: "WorkflowBranch" })
export type BranchNode = typeof BranchNode.Type

/** Splits contacts across paths. A contact gets the same path in every version. */
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

export const EndNode = Schema.Struct({ id: NodeId, kind: Schema.Literal("end") }).annotate({
  identifier: "WorkflowEnd"
})
export type EndNode = typeof EndNode.Type

export const WorkflowNode = Schema.Union([ActionNode, WaitNode, WaitForNode, BranchNode, SplitNode, EndNode])
export type WorkflowNode = typeof WorkflowNode.Type
