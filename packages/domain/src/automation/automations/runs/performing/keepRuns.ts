import { Effect } from "effect"
import { type LaneLease, LaneQueue } from "../../../../platform/background/index.ts"
import { AutomationRuns, type KeptRun } from "../AutomationRuns.ts"
import { tellEnds } from "../tellEnds.ts"
import { RunMoved } from "./RunMoved.ts"

/** Keeps runs as they are now, in the unit of work of what was done in them, and tells how they ended. */
export const keepRuns = Effect.fnUntraced(function* (runs: ReadonlyArray<KeptRun>) {
  if (!(yield* (yield* AutomationRuns).save(runs))) return yield* new RunMoved()
  yield* tellEnds(runs.map(({ run }) => run))
})

/** As `keepRuns`, for whoever performs them: nothing is kept once the lane is somebody else's. */
export const keepRunsUnder = Effect.fnUntraced(function* (lease: LaneLease, runs: ReadonlyArray<KeptRun>) {
  yield* keepRuns(runs)
  yield* (yield* LaneQueue).hold(lease)
})
