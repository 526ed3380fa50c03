import { DateTime, Duration, Effect, Exit } from "effect"
import { asSystem, transact } from "../../../kernel/index.ts"
import {
  type LaneLease,
  defineLaneWorker,
  sweepOrganizations,
  runDueLanes
} from "../../../platform/background/index.ts"
import { laneNumber, type WorkflowId } from "../../automations/index.ts"
import { Workflows } from "../Workflow.ts"
import { isWorkflowRunOver } from "../runs/WorkflowRun.ts"
import { type StoredWorkflowRun, WorkflowRuns } from "../runs/WorkflowRuns.ts"
import { recordWorkflowRunFailure } from "../runs/actionResults.ts"
import { type WorkflowLoader, makeWorkflowLoader } from "../runs/runContext.ts"
import { exitHeldRuns, workflowHoldReason } from "../runs/runHolds.ts"
import { workflowRunData, workflowRunTaskName } from "../runs/savedRuns.ts"
import { workflowTimerLaneWorker } from "../starting/triggeredRuns.ts"
import { advanceRun } from "./interpreter.ts"

/** Interval between hold checks. A pause takes effect within one second. */
const holdCheckInterval = Duration.millis(500)

const isPaused = Effect.fnUntraced(function* (id: WorkflowId) {
  const found = yield* Effect.option((yield* Workflows).get(id))
  return found._tag === "None" || found.value.status === "paused"
})

/** Checks holds, at most once per interval. */
const makeHoldCheck = () => {
  const openAt = new Map<WorkflowId | "all", DateTime.Utc>()

  const isOpen = Effect.fnUntraced(function* <E, R>(what: WorkflowId | "all", isHeld: Effect.Effect<boolean, E, R>) {
    const now = yield* DateTime.now
    const seen = openAt.get(what)
    if (seen !== undefined && DateTime.isLessThan(now, DateTime.addDuration(seen, holdCheckInterval))) return true
    if (yield* isHeld) return false
    openAt.set(what, now)
    return true
  })

  /** Whether runs of the organization can continue. */
  const isOpenToAny = isOpen(
    "all",
    Effect.map(workflowHoldReason, (reason) => reason !== null)
  )

  return {
    isOpenToAny,
    /** Whether runs of this workflow can continue. */
    isOpenTo: (id: WorkflowId) =>
      Effect.flatMap(isOpenToAny, (open) => (open ? isOpen(id, isPaused(id)) : Effect.succeed(false))),
    /** Records that these workflows had no hold at that time. */
    wasOpenTo: (ids: Iterable<WorkflowId>, at: DateTime.Utc) => {
      for (const id of ids) openAt.set(id, at)
    }
  }
}

/** Cached hold checks of a lane. */
export type HoldCheck = ReturnType<typeof makeHoldCheck>

/** Maximum time for one lane before another lane is processed. */
const maxTurn = Duration.seconds(3)

const batchSize = 64

/** Number of contacts per lane whose runs are advanced concurrently. */
const maxConcurrentContacts = 4

const asWorkflowSystem = asSystem("workflows")

const groupByContact = (runs: ReadonlyArray<StoredWorkflowRun>) => [
  ...Map.groupBy(runs, ({ run }) => run.contactId).values()
]

/** State while a lane is processed. */
interface LaneTurn {
  readonly lease: LaneLease
  readonly courses: WorkflowLoader
  readonly gate: HoldCheck
}

/** Advances a run until it waits, ends or is held. Each unit of work starts only if no hold is active. */
const advanceUntilRest = Effect.fnUntraced(function* ({ courses, gate, lease }: LaneTurn, first: StoredWorkflowRun) {
  const course = yield* courses(first.run.workflowId, first.run.workflowVersion)
  let kept = first
  while (true) {
    if (!(yield* gate.isOpenTo(kept.run.workflowId))) return
    const now = yield* DateTime.now
    const exit = yield* Effect.exit(
      Effect.catchTags(advanceRun(lease, course, kept), {
        ContactMerged: (move) => Effect.as(transact(workflowRunData.move(move, now)), null),
        RunMoved: () => Effect.succeed(null)
      })
    )
    if (Exit.isFailure(exit)) return yield* recordWorkflowRunFailure(lease, course, kept, exit.cause)
    if (exit.value === null) return
    kept = exit.value
    if (isWorkflowRunOver(kept.run) || kept.progress.isResting) return
  }
})

/** Advances the due runs of a lane until none is left, the time is over, or a hold is active. */
const advanceLane = Effect.fnUntraced(function* (lease: LaneLease) {
  const runs = yield* WorkflowRuns
  const turn: LaneTurn = { lease, courses: makeWorkflowLoader(), gate: makeHoldCheck() }
  const end = DateTime.addDuration(yield* DateTime.now, maxTurn)
  while (true) {
    if (!(yield* turn.gate.isOpenToAny)) return
    const now = yield* DateTime.now
    const next = yield* runs.next(laneNumber(lease), now, batchSize)
    if (next.length === 0) return
    turn.gate.wasOpenTo(
      next.map(({ run }) => run.workflowId),
      now
    )
    yield* Effect.forEach(
      groupByContact(next),
      (its) =>
        Effect.forEach(its, (kept) => Effect.catchTag(advanceUntilRest(turn, kept), "RunMoved", () => Effect.void), {
          discard: true
        }),
      { concurrency: maxConcurrentContacts, discard: true }
    )
    if (DateTime.isGreaterThanOrEqualTo(yield* DateTime.now, end)) return
  }
})

const nextDue = Effect.fnUntraced(function* (lease: LaneLease) {
  return (yield* workflowHoldReason) === null ? yield* (yield* WorkflowRuns).nextDue(laneNumber(lease)) : null
})

/** Advances runs, contact by contact. */
const workflowRunLaneWorker = defineLaneWorker({
  name: workflowRunTaskName,
  concurrency: 16,
  run: (lease) => asWorkflowSystem(lease.organizationId)(advanceLane(lease)),
  nextDue: (lease) => asWorkflowSystem(lease.organizationId)(nextDue(lease))
})

/** Advances due runs of all organizations whose lanes are free. */
export const advanceRuns = runDueLanes(workflowRunLaneWorker)

/** Retention of runs after their end. */
const runRetention = Duration.days(90)

const sweepBatchSize = 1_000

/** Deletes runs of the organization after the retention. */
export const sweepWorkflowRuns = Effect.gen(function* () {
  const runs = yield* WorkflowRuns
  const before = DateTime.subtractDuration(yield* DateTime.now, runRetention)
  yield* Effect.repeat(runs.sweep(before, sweepBatchSize), { while: (swept) => swept === sweepBatchSize })
})

/** Background tasks: advance runs, fire timers, exit runs after too long a hold, and delete ended runs after the retention. */
export const workflowRunTasks = [
  workflowRunLaneWorker,
  workflowTimerLaneWorker,
  sweepOrganizations("workflow runs held for too long", exitHeldRuns),
  sweepOrganizations("workflow runs kept", sweepWorkflowRuns, "housekeeping")
] as const
