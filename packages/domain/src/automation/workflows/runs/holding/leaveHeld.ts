import { DateTime, Duration, Effect } from "effect"
import { transact } from "../../../../kernel/index.ts"
import { workflowsHeldBecause } from "../held.ts"
import { tellEnded } from "../tellRuns.ts"
import { WorkflowRuns } from "../WorkflowRuns.ts"
import { type WorkflowHold, WorkflowHolds } from "./WorkflowHolds.ts"

/** For so long the plan, or a suspension, holds runs before they leave. */
export const longestHold = Duration.days(30)

/** So many runs leave in one unit of work. */
const mostAtOnce = 200

const isLong = (now: DateTime.Utc) => (hold: WorkflowHold) =>
  DateTime.isLessThanOrEqualTo(DateTime.addDuration(hold.since, longestHold), now)

/** Has runs leave that have been held for too long; says how many it was. Fewer may have left than there are: some have ended meanwhile. */
const leaveSome = Effect.gen(function* () {
  const now = yield* DateTime.now
  const long = (yield* (yield* WorkflowHolds).all()).find(isLong(now))
  // What the log tells of the organization's return may not have been followed yet.
  const because = long === undefined ? null : yield* workflowsHeldBecause
  if (long === undefined || (because !== "plan" && because !== "suspended")) return 0
  const left = yield* (yield* WorkflowRuns).exit(null, long.reason, now, mostAtOnce)
  yield* tellEnded(left)
  return left.length
}).pipe(transact)

/** Has the organization's runs leave once its plan, or its suspension, has held them for too long. */
export const leaveHeld = Effect.repeat(leaveSome, { while: (left) => left > 0 })
