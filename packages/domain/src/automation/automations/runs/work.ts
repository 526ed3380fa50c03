import { DateTime, Duration, Effect } from "effect"
import { sweepTenants } from "../../../platform/background/index.ts"
import { AutomationRuns } from "./AutomationRuns.ts"
import { automationClockLanes } from "./clocks/automationClocks.ts"
import { automationRunLanes } from "./performing/performRuns.ts"
import { TriggerClocks } from "./clocks/TriggerClocks.ts"

/** For how long it is kept what automations did. */
export const runsKept = Duration.days(30)

/** How many runs of an automation are kept whose conditions did not hold. */
export const skippedRunsKept = 100

/** For how long it is remembered that something has begun about a cart: longer than a cart can come back. */
const struckClocksKept = Duration.days(365)

const sweepAtOnce = 1_000

const sweepRuns = Effect.gen(function* () {
  const runs = yield* AutomationRuns
  const clocks = yield* TriggerClocks
  const now = yield* DateTime.now
  const allOf = <R>(some: Effect.Effect<number, never, R>) =>
    Effect.repeat(some, { while: (swept) => swept === sweepAtOnce })
  yield* allOf(runs.sweepSkipped(skippedRunsKept, sweepAtOnce))
  yield* allOf(runs.sweep(DateTime.subtractDuration(now, runsKept), sweepAtOnce))
  yield* allOf(clocks.sweep(DateTime.subtractDuration(now, struckClocksKept), sweepAtOnce))
})

/** Runs are performed, clocks strike, and what automations did is forgotten after a month. */
export const runWorks = [
  automationRunLanes,
  automationClockLanes,
  sweepTenants("automation runs", sweepRuns, "housekeeping")
] as const
