import { Cause, DateTime, Effect } from "effect"
import { isAway, transact } from "../../../../kernel/index.ts"
import type { LaneLease } from "../../../../platform/background/index.ts"
import type { ActionResult } from "../../actions/ActionResult.ts"
import { AutomationRuns, type KeptRun } from "../AutomationRuns.ts"
import { ruleOf } from "../Rule.ts"
import { keepRunsUnder } from "./keepRuns.ts"
import { afterAction, nextAction } from "./step.ts"

/** So often is an action tried in which the service itself fails. */
const mostAttempts = 5

/** What comes of an action in which the service has failed once more: it is tried again later, and at last it has failed. */
export const resultOfFault = (attempts: number, now: DateTime.Utc): ActionResult =>
  attempts + 1 >= mostAttempts
    ? { kind: "refused", error: { code: "internal_error", detail: "The service has failed to perform it." } }
    : { kind: "wait", until: DateTime.add(now, { seconds: 2 ** attempts }), reason: "retry" }

/** Whether the cause says nothing about the run: the process ends, the lease is somebody else's, the storage is away. */
export const endsTheTurn = (cause: Cause.Cause<unknown>) =>
  Cause.hasInterrupts(cause) || isAway(cause) || !Cause.hasDies(cause)

/** Has a run in which the service itself fails tried again later, so that it holds back no other; at last its action has failed. */
export const noteFault = Effect.fnUntraced(function* <E>(
  lease: LaneLease,
  { run: { id } }: KeptRun,
  cause: Cause.Cause<E>
) {
  if (endsTheTurn(cause)) return yield* Effect.failCause(cause)
  yield* Effect.logError(`The automation run ${id} has failed`, cause)
  const kept = yield* (yield* AutomationRuns).find(id)
  const action = kept === null ? null : nextAction(kept.run)
  if (kept === null || action === null) return
  const now = yield* DateTime.now
  const rule = yield* ruleOf(kept.run.automationId, kept.run.automationVersion)
  const run = afterAction(kept.run, rule ?? { then: [] }, action.index, resultOfFault(action.attempts, now), now)
  yield* transact(keepRunsUnder(lease, [{ ...kept, run }]))
})
