import { DateTime, Duration, Effect, Exit } from "effect"
import { laneNumber } from "../../../automations/index.ts"
import { asSystem, transact } from "../../../../kernel/index.ts"
import { type LaneLease, laneWork, workDue } from "../../../../platform/background/index.ts"
import { type Courses, makeCourses } from "../Course.ts"
import { workflowsHeldBecause } from "../held.ts"
import { workflowRunsWork } from "../runLanes.ts"
import { isWorkflowRunOver } from "../WorkflowRun.ts"
import { workflowRunHolding } from "../workflowRunHolding.ts"
import { type KeptWorkflowRun, WorkflowRuns } from "../WorkflowRuns.ts"
import { lead } from "./lead.ts"
import { type Gate, makeGate } from "./makeGate.ts"
import { noteRunFault } from "./noteFault.ts"

/** For how long one lane is worked at before another one's turn comes. */
const longest = Duration.seconds(3)

const mostAtOnce = 64

/** For how many contacts of a lane runs are led side by side. */
const contactsAtOnce = 4

const within = asSystem("workflows")

const byContact = (runs: ReadonlyArray<KeptWorkflowRun>) => [...Map.groupBy(runs, ({ run }) => run.contactId).values()]

/** What is known of a lane while it is worked at. */
interface LaneTurn {
  readonly lease: LaneLease
  readonly courses: Courses
  readonly gate: Gate
}

/** Leads a run on until it rests, is over or may not go on. Each unit of work begins only while nothing holds it. */
const leadOn = Effect.fnUntraced(function* ({ courses, gate, lease }: LaneTurn, first: KeptWorkflowRun) {
  const course = yield* courses(first.run.workflowId, first.run.workflowVersion)
  let kept = first
  while (true) {
    if (!(yield* gate.isOpenTo(kept.run.workflowId))) return
    const now = yield* DateTime.now
    const exit = yield* Effect.exit(
      Effect.catchTags(lead(lease, course, kept), {
        ContactMerged: (move) => Effect.as(transact(workflowRunHolding.move(move, now)), null),
        RunMoved: () => Effect.succeed(null)
      })
    )
    if (Exit.isFailure(exit)) return yield* noteRunFault(lease, course, kept, exit.cause)
    if (exit.value === null) return
    kept = exit.value
    if (isWorkflowRunOver(kept.run) || kept.progress.isResting) return
  }
})

/** Leads on what is due in a lane until nothing is, the turn is over, or nothing may go on. */
const leadLane = Effect.fnUntraced(function* (lease: LaneLease) {
  const runs = yield* WorkflowRuns
  const turn: LaneTurn = { lease, courses: makeCourses(), gate: makeGate() }
  const end = DateTime.addDuration(yield* DateTime.now, longest)
  while (true) {
    if (!(yield* turn.gate.isOpenToAny)) return
    const now = yield* DateTime.now
    const next = yield* runs.next(laneNumber(lease), now, mostAtOnce)
    if (next.length === 0) return
    turn.gate.wasOpenTo(
      next.map(({ run }) => run.workflowId),
      now
    )
    yield* Effect.forEach(
      byContact(next),
      (its) =>
        Effect.forEach(its, (kept) => Effect.catchTag(leadOn(turn, kept), "RunMoved", () => Effect.void), {
          discard: true
        }),
      { concurrency: contactsAtOnce, discard: true }
    )
    if (DateTime.isGreaterThanOrEqualTo(yield* DateTime.now, end)) return
  }
})

const nextDue = Effect.fnUntraced(function* (lease: LaneLease) {
  return (yield* workflowsHeldBecause) === null ? yield* (yield* WorkflowRuns).nextDue(laneNumber(lease)) : null
})

/** Runs are led on contact by contact. */
export const workflowRunLanes = laneWork({
  name: workflowRunsWork,
  concurrency: 16,
  run: (lease) => within(lease.organizationId)(leadLane(lease)),
  nextDue: (lease) => within(lease.organizationId)(nextDue(lease))
})

/** Leads on what is due, in all organizations that nobody else works for. */
export const leadRuns = workDue(workflowRunLanes)
