import { DateTime, Effect } from "effect"
import { transact } from "../../../kernel/index.ts"
import { type LaneLease, LaneQueue } from "../../../platform/background/index.ts"
import { type ConditionExplanation, judge } from "../../automations/index.ts"
import type { BranchNode, SplitNode, WorkflowNode } from "../graph/Node.ts"
import { isWorkflowRunOver } from "../runs/WorkflowRun.ts"
import type { KeptWorkflowRun } from "../runs/WorkflowRuns.ts"
import { groupsOfRun } from "../runs/goals.ts"
import { pathOf } from "../runs/nodeRules.ts"
import { after, type Course, type Leg, nodeIn, withFacts } from "../runs/runContext.ts"
import { completed, enter, exited, failed, stepIn } from "../runs/runTransitions.ts"
import { keepRun, tripOf } from "../runs/savedRuns.ts"
import { passAction } from "./actionNodes.ts"
import { beginWait, beginWaitFor, endWait, endWaitFor } from "./waitNodes.ts"

/** Takes the first branch whose condition holds: the ones after it are not looked at. */
const passBranch = Effect.fnUntraced(function* (before: Leg, node: BranchNode) {
  const now = yield* DateTime.now
  const { facts, leg } = yield* withFacts(before)
  if (facts === null) return leg
  const { kept } = leg.trip
  const any: Array<ConditionExplanation> = []
  for (const [index, { if: condition, next }] of node.branches.entries()) {
    const explanation = yield* judge(condition, groupsOfRun, facts)
    any.push(explanation)
    if (!explanation.held) continue
    const told = { state: "done", output: { branch: index }, conditions: { any, held: true } } as const
    return after(leg, { kept: enter(kept, next, now), steps: stepIn(kept, told, now) })
  }
  const told = { state: "done", output: { branch: "else" }, conditions: { any, held: false } } as const
  return after(leg, { kept: enter(kept, node.else, now), steps: stepIn(kept, told, now) })
})

/** Takes the path of the contact. */
const passSplit = Effect.fnUntraced(function* (leg: Leg, node: SplitNode) {
  const now = yield* DateTime.now
  const { kept } = leg.trip
  const { contactId, workflowId } = kept.run
  if (contactId === null) return after(leg, { kept: exited(kept, "contact_gone", now), steps: [] })
  const path = pathOf(node, workflowId, contactId)
  if (path === null) return after(leg, { kept: failed(kept, "node_gone", now), steps: [] })
  const steps = stepIn(kept, { state: "done", output: { path: path.index } }, now)
  return after(leg, { kept: enter(kept, path.next, now), steps })
})

/** Runs that are later than this leave, if the workflow does not say how late they may be. */
const latest = 86_400

/** Whether its time was so long ago that it is not to go on any more. One that is held has a rule of its own. */
const isLate = ({ graph }: Course, { progress: { dueAt }, run }: KeptWorkflowRun, now: DateTime.Utc): boolean =>
  dueAt !== null &&
  run.state !== "held" &&
  DateTime.isLessThan(DateTime.add(dueAt, { seconds: graph.entry?.maxLateSeconds ?? latest }), now)

const pass = (leg: Leg, node: WorkflowNode, now: DateTime.Utc) => {
  const { isResting } = leg.trip.kept.progress
  switch (node.kind) {
    case "action":
      return passAction(leg, node)
    case "wait":
      return isResting ? endWait(leg, node) : beginWait(leg, node)
    case "wait_for":
      return isResting ? endWaitFor(leg, node) : beginWaitFor(leg, node)
    case "branch":
      return passBranch(leg, node)
    case "split":
      return passSplit(leg, node)
    case "end":
      return Effect.succeed(after(leg, { kept: completed(leg.trip.kept, now), steps: [] }))
  }
}

/** Whether it goes on within this unit of work: it is on its way, and the next thing is not one action too many. */
const goesOn = ({ course, hasActed, trip: { kept } }: Leg): boolean => {
  if (isWorkflowRunOver(kept.run) || kept.progress.isResting) return false
  return !hasActed || nodeIn(course, kept.run)?.kind !== "action"
}

/** Leads a run from node to node until it has acted and comes to the next action, rests, or is over: in one unit of work. */
const travel = Effect.fnUntraced(function* (course: Course, kept: KeptWorkflowRun) {
  const now = yield* DateTime.now
  let leg: Leg = { course, trip: tripOf(kept), facts: null, hasActed: false }
  if (isLate(course, kept, now)) return after(leg, { kept: exited(kept, "late", now), steps: [] })
  do {
    const node = nodeIn(course, leg.trip.kept.run)
    if (node === null) return after(leg, { kept: failed(leg.trip.kept, "node_gone", now), steps: [] })
    leg = yield* pass(leg, node, now)
  } while (goesOn(leg))
  return leg
})

/** Leads a run on, and keeps where it is then: all of it, or nothing. Nothing is kept once the lane is somebody else's. */
export const lead = Effect.fnUntraced(function* (lease: LaneLease, course: Course, kept: KeptWorkflowRun) {
  const { trip } = yield* travel(course, kept)
  const after = yield* keepRun(trip)
  yield* (yield* LaneQueue).hold(lease)
  return after
}, transact)
