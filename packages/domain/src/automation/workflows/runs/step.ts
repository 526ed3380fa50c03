/**
 * State machine of a workflow run. `stepRun` is pure: it decides everything from the version, the state and one input. The interpreter executes the
 * commands in one unit of work and returns their results as inputs.
 *
 * | Input                                    | Commands                                                            |
 * | ---------------------------------------- | ------------------------------------------------------------------- |
 * | `Woken`                                  | question of the node: `CheckGoals`, `PlanWait`, `CheckUnread`, ...  |
 * | `GoalsChecked`                           | `PerformAction`; or `Save`, because the run leaves                  |
 * | `ActionDone`, `BranchesEvaluated`        | question of the next node; `Save` before a second action            |
 * | `WaitPlanned`                            | `Save`; or question of the next node, because the wait is over      |
 * | `EventAwaited`, `ContactMissing`         | `Save`                                                              |
 * | `UnreadChecked`                          | `Save` to check again; or question of the next node                 |
 * | `Started`, `CallEnded`, `Moved`          | `Save`, `OpenLane`                                                  |
 * | `Continued`                              | `Save`, `OpenLane`                                                  |
 * | `EventArrived`                           | `Save` with a goal or an exit; also `OpenLane` after an awaited one |
 * | `Crashed`, `ContactBlocked`, `Cancelled` | `Save`                                                              |
 *
 * States: `running` in a node to execute, `waiting` and `held` in a node with a due time, an awaited event or a call. An ended run never changes.
 */
import { DateTime } from "effect"
import type { SplitNode, WorkflowNode } from "../graph/Node.ts"
import { isWorkflowRunOver } from "./WorkflowRun.ts"
import { afterAction, chooseSplitPath } from "./nodeRules.ts"
import { save, stepFromOutside, unchanged } from "./outsideInputs.ts"
import { findCurrentNode, type LoadedWorkflow } from "./runContext.ts"
import type { RunCommand, RunDecision, RunInput, RunInputOf, RunState } from "./runState.ts"
import {
  applyGoals,
  completeRun,
  enterNode,
  exitRun,
  failRun,
  postponeRun,
  restForEvent,
  restRun,
  visitCount,
  withStep
} from "./runTransitions.ts"

/** Runs that are later than this exit, if the workflow does not specify a limit. */
const defaultMaxLateSeconds = 86_400

/** Delay of the next check for unread events from before a deadline. */
const unreadRecheckDelay = { seconds: 1 }

const ask = (state: RunState, command: RunCommand): RunDecision => ({ state, commands: [command] })

/** Whether the run is too late to continue. Held runs have a separate limit. A recalled run is late only after its wake time. */
const isLate = (
  { graph }: LoadedWorkflow,
  { progress: { dueAt }, run: { state, wakeAt } }: RunState,
  now: DateTime.Utc
): boolean => {
  if (dueAt === null || state === "held") return false
  const due = wakeAt === null ? dueAt : DateTime.max(dueAt, wakeAt)
  return DateTime.isLessThan(DateTime.add(due, { seconds: graph.entry?.maxLateSeconds ?? defaultMaxLateSeconds }), now)
}

/** Takes the path assigned to the contact. */
const takePath = (state: RunState, node: SplitNode, now: DateTime.Utc): RunState => {
  const { contactId, workflowId } = state.run
  if (contactId === null) return exitRun(state, "contact_gone", now)
  const path = chooseSplitPath(node, workflowId, contactId)
  if (path === null) return failRun(state, "node_gone", now)
  return enterNode(withStep(state, { state: "done", output: { path: path.index } }, now), path.next, now)
}

const visit = (course: LoadedWorkflow, state: RunState, node: WorkflowNode | null, now: DateTime.Utc): RunDecision => {
  switch (node?.kind) {
    case undefined:
      return save(failRun(state, "node_gone", now))
    case "action":
      return ask(state, { _tag: "CheckGoals" })
    case "wait":
      return ask(state, { _tag: "PlanWait", node, from: "now" })
    case "wait_for":
      return ask(state, { _tag: "AwaitEvent", node })
    case "branch":
      return ask(state, { _tag: "EvaluateBranches", node })
    case "split":
      return proceed(course, takePath(state, node, now), now)
    case "end":
      return save(completeRun(state, now))
  }
}

/** Continues with the current node. Stores the run at its end, in a wait, and before a second action. */
const proceed = (course: LoadedWorkflow, state: RunState, now: DateTime.Utc): RunDecision => {
  if (isWorkflowRunOver(state.run) || state.progress.isResting) return save(state)
  const node = findCurrentNode(course, state.run)
  return state.hasActed && node?.kind === "action" ? save(state) : visit(course, state, node, now)
}

const onWoken = (course: LoadedWorkflow, state: RunState, { now }: RunInputOf<"Woken">): RunDecision => {
  if (isLate(course, state, now)) return save(exitRun(state, "late", now))
  const node = findCurrentNode(course, state.run)
  const { wakeAt } = state.run
  if (!state.progress.isResting || node === null) return visit(course, state, node, now)
  if (node.kind === "wait_for") return ask(state, { _tag: "CheckUnread", deadline: wakeAt ?? now })
  if (node.kind !== "wait") return visit(course, state, node, now)
  // A run that was recalled before its wake time counts its wait from its arrival.
  const isRecalled = wakeAt !== null && DateTime.isGreaterThan(wakeAt, now)
  return ask(state, { _tag: "PlanWait", node, from: isRecalled ? "arrival" : "schedule" })
}

const onGoalsChecked = (course: LoadedWorkflow, state: RunState, input: RunInputOf<"GoalsChecked">): RunDecision => {
  const reached = applyGoals(state, input, input.now)
  const node = findCurrentNode(course, reached.run)
  if (isWorkflowRunOver(reached.run) || node?.kind !== "action") return save(reached)
  return ask(reached, { _tag: "PerformAction", node, visit: visitCount(reached.progress, node.id) })
}

const onActionDone = (course: LoadedWorkflow, state: RunState, input: RunInputOf<"ActionDone">): RunDecision => {
  const node = findCurrentNode(course, state.run)
  if (node?.kind !== "action") return unchanged(state)
  return proceed(course, { ...afterAction(state, node, input, input.now), hasActed: true }, input.now)
}

/** The first step of a wait is its start. A later wait for the schedule adds none. */
const onWaitPlanned = (course: LoadedWorkflow, state: RunState, { now, until }: RunInputOf<"WaitPlanned">) => {
  const node = findCurrentNode(course, state.run)
  if (node?.kind !== "wait") return unchanged(state)
  if (DateTime.isLessThanOrEqualTo(until, now)) {
    return proceed(course, enterNode(withStep(state, { state: "done" }, now), node.next, now), now)
  }
  return save(restRun(state.progress.isResting ? state : withStep(state, { state: "waiting" }, now), until))
}

const onEventAwaited = (course: LoadedWorkflow, state: RunState, input: RunInputOf<"EventAwaited">): RunDecision => {
  const node = findCurrentNode(course, state.run)
  if (node?.kind !== "wait_for") return unchanged(state)
  const until = DateTime.add(input.now, { seconds: node.timeoutSeconds })
  return save(restForEvent(withStep(state, { state: "waiting" }, input.now), until, input))
}

/** Unread events from before the timeout still count, so the run waits for them. */
const onUnreadChecked = (course: LoadedWorkflow, state: RunState, { hasUnread, now }: RunInputOf<"UnreadChecked">) => {
  if (hasUnread) return save(postponeRun(state, DateTime.add(now, unreadRecheckDelay)))
  const node = findCurrentNode(course, state.run)
  if (node?.kind !== "wait_for") return unchanged(state)
  const done = withStep(state, { state: "done", output: { timeout: true } }, now)
  return proceed(course, enterNode(done, node.timeout, now), now)
}

/** The run takes the last evaluated branch if its condition holds. */
const onBranchesEvaluated = (course: LoadedWorkflow, state: RunState, input: RunInputOf<"BranchesEvaluated">) => {
  const { now, results } = input
  const node = findCurrentNode(course, state.run)
  if (node?.kind !== "branch") return unchanged(state)
  const index = results.findIndex(({ held }) => held)
  const taken = node.branches[index]
  const output = { branch: taken === undefined ? "else" : index }
  const conditions = { any: results, held: taken !== undefined }
  const done = withStep(state, { state: "done", output, conditions }, now)
  return proceed(course, enterNode(done, taken?.next ?? node.else, now), now)
}

/** Returns the next state of a run, and the commands that follow from an input. An ended run does not change. */
export const stepRun = (course: LoadedWorkflow, state: RunState, input: RunInput): RunDecision => {
  if (isWorkflowRunOver(state.run)) return unchanged(state)
  switch (input._tag) {
    case "Woken":
      return onWoken(course, state, input)
    case "ContactMissing":
      return save(exitRun(state, "contact_gone", input.now))
    case "GoalsChecked":
      return onGoalsChecked(course, state, input)
    case "ActionDone":
      return onActionDone(course, state, input)
    case "WaitPlanned":
      return onWaitPlanned(course, state, input)
    case "EventAwaited":
      return onEventAwaited(course, state, input)
    case "UnreadChecked":
      return onUnreadChecked(course, state, input)
    case "BranchesEvaluated":
      return onBranchesEvaluated(course, state, input)
    default:
      return stepFromOutside(state, input)
  }
}
