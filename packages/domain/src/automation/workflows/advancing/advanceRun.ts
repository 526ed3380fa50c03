import { DateTime, Effect } from "effect"
import { transact } from "../../../kernel/index.ts"
import { type LaneLease, LaneQueue } from "../../../platform/background/index.ts"
import { type ConditionExplanation, evaluateCondition } from "../../automations/index.ts"
import type { BranchNode, SplitNode, WorkflowNode } from "../graph/Node.ts"
import { isWorkflowRunOver } from "../runs/WorkflowRun.ts"
import type { StoredWorkflowRun } from "../runs/WorkflowRuns.ts"
import { runFactGroups } from "../runs/goals.ts"
import { chooseSplitPath } from "../runs/nodeRules.ts"
import {
  applyTransition,
  type LoadedWorkflow,
  type RunExecution,
  findCurrentNode,
  withFacts
} from "../runs/runContext.ts"
import { completeRun, enterNode, exitRun, failRun, toSteps } from "../runs/runTransitions.ts"
import { saveWorkflowRun, toRunChanges } from "../runs/savedRuns.ts"
import { executeActionNode } from "./actionNodes.ts"
import { startWait, startWaitFor, endWait, endWaitFor } from "./waitNodes.ts"

/** Takes the first branch whose condition holds. Later branches are not evaluated. */
const executeBranch = Effect.fnUntraced(function* (before: RunExecution, node: BranchNode) {
  const now = yield* DateTime.now
  const { facts, leg } = yield* withFacts(before)
  if (facts === null) return leg
  const { kept } = leg.trip
  const any: Array<ConditionExplanation> = []
  for (const [index, { if: condition, next }] of node.branches.entries()) {
    const explanation = yield* evaluateCondition(condition, runFactGroups, facts)
    any.push(explanation)
    if (!explanation.held) continue
    const told = { state: "done", output: { branch: index }, conditions: { any, held: true } } as const
    return applyTransition(leg, { kept: enterNode(kept, next, now), steps: toSteps(kept, told, now) })
  }
  const told = { state: "done", output: { branch: "else" }, conditions: { any, held: false } } as const
  return applyTransition(leg, { kept: enterNode(kept, node.else, now), steps: toSteps(kept, told, now) })
})

/** Takes the path assigned to the contact. */
const executeSplit = Effect.fnUntraced(function* (leg: RunExecution, node: SplitNode) {
  const now = yield* DateTime.now
  const { kept } = leg.trip
  const { contactId, workflowId } = kept.run
  if (contactId === null) return applyTransition(leg, { kept: exitRun(kept, "contact_gone", now), steps: [] })
  const path = chooseSplitPath(node, workflowId, contactId)
  if (path === null) return applyTransition(leg, { kept: failRun(kept, "node_gone", now), steps: [] })
  const steps = toSteps(kept, { state: "done", output: { path: path.index } }, now)
  return applyTransition(leg, { kept: enterNode(kept, path.next, now), steps })
})

/** Runs that are later than this exit, if the workflow does not specify a limit. */
const defaultMaxLateSeconds = 86_400

/** Whether the run is too late to continue. Held runs have a separate limit. A recalled run is late only after its wake time. */
const isLate = (
  { graph }: LoadedWorkflow,
  { progress: { dueAt }, run: { state, wakeAt } }: StoredWorkflowRun,
  now: DateTime.Utc
): boolean => {
  if (dueAt === null || state === "held") return false
  const due = wakeAt === null ? dueAt : DateTime.max(dueAt, wakeAt)
  return DateTime.isLessThan(DateTime.add(due, { seconds: graph.entry?.maxLateSeconds ?? defaultMaxLateSeconds }), now)
}

const executeNode = (leg: RunExecution, node: WorkflowNode, now: DateTime.Utc) => {
  const { isResting } = leg.trip.kept.progress
  switch (node.kind) {
    case "action":
      return executeActionNode(leg, node)
    case "wait":
      return isResting ? endWait(leg, node) : startWait(leg, node)
    case "wait_for":
      return isResting ? endWaitFor(leg, node) : startWaitFor(leg, node)
    case "branch":
      return executeBranch(leg, node)
    case "split":
      return executeSplit(leg, node)
    case "end":
      return Effect.succeed(applyTransition(leg, { kept: completeRun(leg.trip.kept, now), steps: [] }))
  }
}

/** Whether the run continues in this unit of work. A second action needs another one. */
const canContinue = ({ course, hasActed, trip: { kept } }: RunExecution): boolean => {
  if (isWorkflowRunOver(kept.run) || kept.progress.isResting) return false
  return !hasActed || findCurrentNode(course, kept.run)?.kind !== "action"
}

/** Moves a run through nodes in one unit of work. Stops at a second action, a wait, or the end of the run. */
const executeNodes = Effect.fnUntraced(function* (course: LoadedWorkflow, kept: StoredWorkflowRun) {
  const now = yield* DateTime.now
  let leg: RunExecution = { course, trip: toRunChanges(kept), facts: null, hasActed: false }
  if (isLate(course, kept, now)) return applyTransition(leg, { kept: exitRun(kept, "late", now), steps: [] })
  do {
    const node = findCurrentNode(course, leg.trip.kept.run)
    if (node === null) return applyTransition(leg, { kept: failRun(leg.trip.kept, "node_gone", now), steps: [] })
    leg = yield* executeNode(leg, node, now)
  } while (canContinue(leg))
  return leg
})

/** Advances a run and stores all changes in one unit of work. Nothing is stored if the lease is lost. */
export const advanceRun = Effect.fnUntraced(function* (
  lease: LaneLease,
  course: LoadedWorkflow,
  kept: StoredWorkflowRun
) {
  const { trip } = yield* executeNodes(course, kept)
  const after = yield* saveWorkflowRun(trip)
  yield* (yield* LaneQueue).hold(lease)
  return after
}, transact)
