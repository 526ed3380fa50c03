import { Effect, Metric, Schema } from "effect"
import { afterCommit, CurrentCausation } from "../../../kernel/index.ts"
import { type LaneLease, LaneQueue } from "../../../platform/background/index.ts"
import { appendEvent } from "../events.ts"
import { type AutomationRun, causedBy, isAbortReason, isRunOver } from "./AutomationRun.ts"
import { AutomationRuns, type StoredAutomationRun, type NewAutomationRun } from "./AutomationRuns.ts"
import { scheduleRunLanes } from "./contactLanes.ts"

const ends = Metric.counter("parley_automation_runs_total", {
  description: "Number of ended automation runs, by state",
  incremental: true
})

/** Counts ended runs after the commit. */
export const countCancelled = (count: number) =>
  count === 0 ? Effect.void : afterCommit(Metric.update(Metric.withAttributes(ends, { state: "aborted" }), count))

/** Counts run results after the commit. */
const countEnds = (runs: ReadonlyArray<AutomationRun>) =>
  Effect.forEach(
    runs.filter(({ state }) => isRunOver(state)),
    ({ state }) => afterCommit(Metric.update(Metric.withAttributes(ends, { state }), 1)),
    { discard: true }
  )

const publishRunEnd = Effect.fnUntraced(function* ({ automationId, id: runId, reason, state }: AutomationRun) {
  if (state === "failed") yield* appendEvent({ type: "automation.run_failed", automationId, runId })
  if (state === "aborted" && isAbortReason(reason)) {
    yield* appendEvent({ type: "automation.run_aborted", automationId, runId, reason })
  }
  if (state === "cancelled") yield* appendEvent({ type: "automation.run_cancelled", automationId, runId })
})

/** Publishes events for failed, aborted and cancelled runs in the same unit of work, each with the causation of its run. */
const publishRunEnds = Effect.fnUntraced(function* (runs: ReadonlyArray<AutomationRun>) {
  for (const run of runs) {
    const causation = causedBy(run.causation, { kind: "automation", id: run.automationId }, run.event.position)
    yield* Effect.provideService(publishRunEnd(run), CurrentCausation, causation)
  }
  yield* countEnds(runs)
})

/** Another process has changed the run, for example by a merge or an erasure. */
export class RunConflict extends Schema.TaggedError<RunConflict>()("RunMoved", {}) {
  override get message() {
    return "Another process changed the run."
  }
}

/** Maximum number of consecutive conflicts between reading and saving a run. */
const maxTries = 10

/** Reads and saves a run again after a conflict. */
export const retryOnRunConflict = <A, R>(keeping: Effect.Effect<A, RunConflict, R>): Effect.Effect<A, never, R> =>
  Effect.orDie(Effect.retry(keeping, { times: maxTries - 1 }))

/** Saves runs in the unit of work of their changes, and publishes their ends. */
export const saveRuns = Effect.fnUntraced(function* (runs: ReadonlyArray<StoredAutomationRun>) {
  if (!(yield* (yield* AutomationRuns).save(runs))) return yield* new RunConflict()
  yield* publishRunEnds(runs.map(({ run }) => run))
})

/** Like `saveRuns`, for the lane owner. Saves nothing if the lease is lost. */
export const saveRunsUnderLease = Effect.fnUntraced(function* (
  lease: LaneLease,
  runs: ReadonlyArray<StoredAutomationRun>
) {
  yield* saveRuns(runs)
  yield* (yield* LaneQueue).hold(lease)
})

/** Stores new runs in the unit of work of their start, and publishes runs that are cut immediately. Returns the number of new runs. */
export const startRuns = Effect.fnUntraced(function* (runs: ReadonlyArray<NewAutomationRun>) {
  const started = yield* (yield* AutomationRuns).start(runs)
  const fresh = runs.filter(({ run }) => started.has(run.id))
  yield* publishRunEnds(fresh.map(({ run }) => run))
  yield* scheduleRunLanes(fresh.flatMap(({ lane, run }) => (run.state === "queued" ? [lane] : [])))
  return fresh.length
})
