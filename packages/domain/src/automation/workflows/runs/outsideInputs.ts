import { isWorkflowRunOver } from "./WorkflowRun.ts"
import { afterAction, isInWait } from "./nodeRules.ts"
import type { OutsideInput, RunDecision, RunInputOf, RunState, StoreCommand } from "./runState.ts"
import {
  applyGoals,
  cancelRun,
  enterNode,
  exitRun,
  failRun,
  postponeRun,
  restRun,
  withStep,
  withTriggerEvent,
  withWorkflowVersion
} from "./runTransitions.ts"

type Decision = RunDecision<StoreCommand>

export const unchanged = (state: RunState): Decision => ({ state, commands: [] })

export const save = (state: RunState): Decision => ({ state, commands: [{ _tag: "Save" }] })

const saveAndContinue = (state: RunState): Decision => ({ state, commands: [{ _tag: "Save" }, { _tag: "OpenLane" }] })

const onStarted = (state: RunState, { aborted, dueAt, node, now }: RunInputOf<"Started">): Decision =>
  aborted === null ? saveAndContinue(enterNode(state, node, dueAt)) : save(exitRun(state, aborted, now))

/** Goals and exits come first, then the awaited event. */
const onEventArrived = (state: RunState, input: RunInputOf<"EventArrived">): Decision => {
  const { event, goals, now, received } = input
  const reached = applyGoals(state, input, now)
  if (isWorkflowRunOver(reached.run)) return save(reached)
  if (received === null) return goals.length === 0 ? unchanged(state) : save(reached)
  const { conditions, isAssumed, node } = received
  const output = { event: isAssumed === true ? { ...event, position: null } : event }
  const done = withStep(reached, { state: "done", output, conditions }, now)
  const entered = enterNode(withTriggerEvent(done, event), node.next, now)
  return isWorkflowRunOver(entered.run) ? save(entered) : saveAndContinue(entered)
}

const onCrashed = (state: RunState, { node, now, result }: RunInputOf<"Crashed">): Decision => {
  if (result.kind === "wait") return save(postponeRun(state, result.until, state.progress.attempts + 1))
  return save(node === null ? failRun(state, "action_failed", now) : afterAction(state, node, { result }, now))
}

const onMoved = (state: RunState, { node, now, stay, version }: RunInputOf<"Moved">): Decision => {
  if (node === null) return save(exitRun(state, "node_gone", now))
  const moved = withWorkflowVersion(state, version)
  if (stay !== null) return saveAndContinue(stay.until === null ? moved : restRun(moved, stay.until))
  const output = { movedTo: node, version }
  const left = state.progress.isResting ? withStep(moved, { state: "skipped", output }, now) : moved
  return saveAndContinue(enterNode(left, node, now))
}

/** Ends a wait of the graph now. The run keeps its last event, because no event has arrived. */
const onContinued = (state: RunState, { as, node, now }: RunInputOf<"Continued">): Decision => {
  if (!isInWait(state, node)) return unchanged(state)
  const done = withStep(state, { state: "done", output: { continued: node.kind === "wait" ? true : as } }, now)
  const next = node.kind === "wait_for" && as === "timeout" ? node.timeout : node.next
  const entered = enterNode(done, next, now)
  return isWorkflowRunOver(entered.run) ? save(entered) : saveAndContinue(entered)
}

/** Applies an input from outside of the nodes. An ended run does not change. */
export const stepFromOutside = (state: RunState, input: OutsideInput): Decision => {
  if (isWorkflowRunOver(state.run)) return unchanged(state)
  switch (input._tag) {
    case "Started":
      return onStarted(state, input)
    case "EventArrived":
      return onEventArrived(state, input)
    case "CallEnded":
      return saveAndContinue(afterAction(state, input.node, input, input.now))
    case "Crashed":
      return onCrashed(state, input)
    case "ContactBlocked":
      return save(exitRun(state, "blocked", input.now))
    case "Cancelled":
      return save(cancelRun(state, input.now))
    case "Continued":
      return onContinued(state, input)
    case "Moved":
      return onMoved(state, input)
  }
}
