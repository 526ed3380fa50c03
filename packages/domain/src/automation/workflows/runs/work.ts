import { DateTime, Duration, Effect } from "effect"
import { sweepTenants } from "../../../platform/background/index.ts"
import { leaveHeld } from "./holding/leaveHeld.ts"
import { workflowRunLanes } from "./leading/leadRuns.ts"
import { workflowClockLanes } from "./starting/workflowClocks.ts"
import { WorkflowRuns } from "./WorkflowRuns.ts"

/** For how long it is kept what a run did, once it is over. */
export const workflowRunsKept = Duration.days(90)

const sweepAtOnce = 1_000

/** Forgets the organization's runs that ended so long ago. */
export const sweepWorkflowRuns = Effect.gen(function* () {
  const runs = yield* WorkflowRuns
  const before = DateTime.subtractDuration(yield* DateTime.now, workflowRunsKept)
  yield* Effect.repeat(runs.sweep(before, sweepAtOnce), { while: (swept) => swept === sweepAtOnce })
})

/** Runs are led on, begun by clocks, leave where they are held for too long, and are forgotten three months after their end. */
export const workflowRunWorks = [
  workflowRunLanes,
  workflowClockLanes,
  sweepTenants("workflow runs held for too long", leaveHeld),
  sweepTenants("workflow runs kept", sweepWorkflowRuns, "housekeeping")
] as const
