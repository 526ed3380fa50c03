import { type DateTime, Schema } from "effect"
import type { ActionResult, ConditionExplanation } from "../../automations/index.ts"
import type { ActionNode, BranchNode, NodeId, WaitForNode, WaitNode } from "../graph/Node.ts"
import type { ExitReason, WorkflowRun } from "./WorkflowRun.ts"
import type { PositionedStep, RunProgress } from "./WorkflowRuns.ts"

/** Run with its progress. */
export interface RunCursor {
  readonly run: WorkflowRun
  readonly progress: RunProgress
}

/** State of a run in one unit of work. */
export interface RunState extends RunCursor {
  /** Steps and goals to store. */
  readonly steps: ReadonlyArray<PositionedStep>
  readonly goals: ReadonlyArray<NodeId>
  /** Whether an action was performed. The next action needs another unit of work. */
  readonly hasActed: boolean
}

export const toRunState = ({ progress, run }: RunCursor): RunState => ({
  run,
  progress,
  steps: [],
  goals: [],
  hasActed: false
})

/** Dependency of an action that can return. */
export type MissingDependency = "template" | "account"

/** Newly reached goals, and whether the run leaves. */
export interface GoalCheck {
  readonly goals: ReadonlyArray<NodeId>
  /** Goal or exit that ends the run; `null` if the run stays. */
  readonly leaves: RunExit | null
}

/** Goal or exit that ends a run. */
export interface RunExit {
  readonly reason: "goal" | "exit"
  readonly id: NodeId
}

/** Exit of a wait for an event. */
export const WaitExit = Schema.Literals(["event", "timeout"])
export type WaitExit = typeof WaitExit.Type

/** Event that a run has waited for. */
export interface AwaitedEvent {
  readonly node: WaitForNode
  readonly conditions: ConditionExplanation
  /** Set in a test for an event that is not in the feed. */
  readonly isAssumed?: true
}

type Timed<Tag extends string, Fields = object> = { readonly _tag: Tag; readonly now: DateTime.Utc } & Fields

/** Input from outside of the nodes. It needs no facts, so the run is stored immediately. */
export type OutsideInput =
  /** The run enters its first node, or never starts because of its causation. Its delay counts from `dueAt`. */
  | Timed<
      "Started",
      {
        readonly node: NodeId
        readonly dueAt: DateTime.Utc
        readonly aborted: Extract<ExitReason, "cycle" | "too_deep"> | null
      }
    >
  /** An event of the contact. `received` is null if the run does not wait for it. */
  | Timed<
      "EventArrived",
      GoalCheck & { readonly event: NonNullable<WorkflowRun["event"]>; readonly received: AwaitedEvent | null }
    >
  /** A plugin call of the current node has ended. */
  | Timed<"CallEnded", { readonly node: ActionNode; readonly result: ActionResult; readonly output: Schema.Json }>
  /** A service error in the node. `result` is a later retry, or a failure after the last attempt. */
  | Timed<"Crashed", { readonly node: ActionNode | null; readonly result: ActionResult }>
  | Timed<"ContactBlocked">
  | Timed<"Cancelled">
  /** A use case ends the wait of the run in this node. `as` is the exit of a wait for an event. */
  | Timed<"Continued", { readonly node: WaitNode | WaitForNode; readonly as: WaitExit }>
  /**
   * The run moves to another version. `node` is null if the target node does not exist. `stay` is null if the run enters the node; without `until`,
   * it stays unchanged in its node.
   */
  | Timed<
      "Moved",
      {
        readonly version: number
        readonly node: NodeId | null
        readonly stay: { readonly until: DateTime.Utc | null } | null
      }
    >

/** Input of a run in its unit of work. */
export type RunInput =
  | OutsideInput
  /** The run is due. */
  | Timed<"Woken">
  /** The contact is deleted. */
  | Timed<"ContactMissing">
  | Timed<"GoalsChecked", GoalCheck>
  /** `output` is the assumed answer of a call in a test. */
  | Timed<
      "ActionDone",
      {
        readonly result: ActionResult
        readonly missing: MissingDependency | null
        readonly output?: Schema.Json
      }
    >
  | Timed<"WaitPlanned", { readonly until: DateTime.Utc }>
  /** Events after the position `since` count. */
  | Timed<"EventAwaited", { readonly since: number; readonly subject: string | null }>
  | Timed<"UnreadChecked", { readonly hasUnread: boolean }>
  /** Results of the branches, up to the first match. */
  | Timed<"BranchesEvaluated", { readonly results: ReadonlyArray<ConditionExplanation> }>

/** Instruction that stores the run. */
export type StoreCommand =
  /** Stores the run with its new steps, and publishes its goals and its end. */
  | { readonly _tag: "Save" }
  /** Schedules the lane of the run. */
  | { readonly _tag: "OpenLane" }

/** Instruction for the interpreter. A command that is not a `StoreCommand` results in one input. */
export type RunCommand =
  | StoreCommand
  | { readonly _tag: "CheckGoals" }
  | { readonly _tag: "PerformAction"; readonly node: ActionNode; readonly visit: number }
  /** Calculates the end of a wait. It counts from now, from the arrival in the node, or only its schedule is left. */
  | { readonly _tag: "PlanWait"; readonly node: WaitNode; readonly from: "now" | "arrival" | "schedule" }
  | { readonly _tag: "AwaitEvent"; readonly node: WaitForNode }
  /** Checks for unread events from before the deadline. */
  | { readonly _tag: "CheckUnread"; readonly deadline: DateTime.Utc }
  | { readonly _tag: "EvaluateBranches"; readonly node: BranchNode }

/** Next state, and the commands in the order of execution. */
export interface RunDecision<C extends RunCommand = RunCommand> {
  readonly state: RunState
  readonly commands: ReadonlyArray<C>
}

export type RunInputOf<Tag extends RunInput["_tag"]> = Extract<RunInput, { readonly _tag: Tag }>
export type RunCommandOf<Tag extends RunCommand["_tag"]> = Extract<RunCommand, { readonly _tag: Tag }>
