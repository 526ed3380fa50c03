import { DateTime, Effect } from "effect"
import { transact } from "../../../../kernel/index.ts"
import { type LaneLease, LaneQueue } from "../../../../platform/background/index.ts"
import type { WorkflowNode } from "../../graph/Node.ts"
import { type Course, nodeIn } from "../Course.ts"
import { keepRun, tripOf } from "../keepRun.ts"
import { completed, exited, failed } from "../moving/moves.ts"
import { isWorkflowRunOver } from "../WorkflowRun.ts"
import type { KeptWorkflowRun } from "../WorkflowRuns.ts"
import { after, type Leg } from "./Leg.ts"
import { passAction } from "./passAction.ts"
import { passBranch, passSplit } from "./passChoice.ts"
import { beginWait, endWait } from "./passWait.ts"
import { beginWaitFor, endWaitFor } from "./passWaitFor.ts"

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
