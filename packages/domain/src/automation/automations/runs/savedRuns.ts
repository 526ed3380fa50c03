import { Effect, Metric, Schema } from "effect"
import { afterCommit } from "../../../kernel/index.ts"
import { type LaneLease, LaneQueue } from "../../../platform/background/index.ts"
import { appendEvent } from "../events.ts"
import { type AutomationRun, isAbortReason, isRunOver } from "./AutomationRun.ts"
import { AutomationRuns, type StoredAutomationRun, type NewAutomationRun } from "./AutomationRuns.ts"
import { scheduleRunLanes } from "./contactLanes.ts"

const ends = Metric.counter("parley_automation_runs_total", {
  description: "What became of runs of automations",
  incremental: true
})

/** Counts ended runs after the commit. */
export const countCancelled = (count: number) =>
  count === 0 ? Effect.void : afterCommit(Metric.update(Metric.withAttributes(ends, { state: "cut" }), count))

/** Counts how runs ended, once that is committed. */
const countEnds = (runs: ReadonlyArray<AutomationRun>) =>
  Effect.forEach(
    runs.filter(({ state }) => isRunOver(state)),
    ({ state }) => afterCommit(Metric.update(Metric.withAttributes(ends, { state }), 1)),
    { discard: true }
  )

/** Tells of runs that have failed or were cut, in the unit of work of that. */
const publishRunEnds = Effect.fnUntraced(function* (runs: ReadonlyArray<AutomationRun>) {
  for (const { automationId, id: runId, reason, state } of runs) {
    if (state === "failed") yield* appendEvent({ type: "automation.run_failed", automationId, runId })
    if (state === "cut" && isAbortReason(reason)) {
      yield* appendEvent({ type: "automation.run_cut", automationId, runId, reason })
    }
  }
  yield* countEnds(runs)
})

/** Somebody else has changed the run: it was handed to another contact, or forgotten. */
export class RunConflict extends Schema.TaggedError<RunConflict>()("RunMoved", {}) {
  override get message() {
    return "The run was changed by somebody else."
  }
}

/** So often in a row does nobody change a run between the moments in which it is read and kept. */
const maxTries = 10

/** Reads and keeps a run once more, as it is by then, where somebody else has changed it in between. */
export const retryOnRunConflict = <A, R>(keeping: Effect.Effect<A, RunConflict, R>): Effect.Effect<A, never, R> =>
  Effect.orDie(Effect.retry(keeping, { times: maxTries - 1 }))

/** Keeps runs as they are now, in the unit of work of what was done in them, and tells how they ended. */
export const saveRuns = Effect.fnUntraced(function* (runs: ReadonlyArray<StoredAutomationRun>) {
  if (!(yield* (yield* AutomationRuns).save(runs))) return yield* new RunConflict()
  yield* publishRunEnds(runs.map(({ run }) => run))
})

/** As `keepRuns`, for whoever performs them: nothing is kept once the lane is somebody else's. */
export const saveRunsUnderLease = Effect.fnUntraced(function* (
  lease: LaneLease,
  runs: ReadonlyArray<StoredAutomationRun>
) {
  yield* saveRuns(runs)
  yield* (yield* LaneQueue).hold(lease)
})

/** Starts those that are new, in the unit of work of what they are started by, and tells of those that are cut at once. */
export const startRuns = Effect.fnUntraced(function* (runs: ReadonlyArray<NewAutomationRun>) {
  const started = yield* (yield* AutomationRuns).start(runs)
  const fresh = runs.filter(({ run }) => started.has(run.id))
  yield* publishRunEnds(fresh.map(({ run }) => run))
  yield* scheduleRunLanes(fresh.flatMap(({ lane, run }) => (run.state === "queued" ? [lane] : [])))
})
