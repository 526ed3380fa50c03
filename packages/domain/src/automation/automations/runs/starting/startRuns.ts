import { Effect } from "effect"
import { AutomationRuns, type NewRun } from "../AutomationRuns.ts"
import { openRunLanes } from "../runLane.ts"
import { tellEnds } from "../tellEnds.ts"

/** Starts those that are new, in the unit of work of what they are started by, and tells of those that are cut at once. */
export const startRuns = Effect.fnUntraced(function* (runs: ReadonlyArray<NewRun>) {
  const started = yield* (yield* AutomationRuns).start(runs)
  const fresh = runs.filter(({ run }) => started.has(run.id))
  yield* tellEnds(fresh.map(({ run }) => run))
  yield* openRunLanes(fresh.flatMap(({ lane, run }) => (run.state === "queued" ? [lane] : [])))
})
