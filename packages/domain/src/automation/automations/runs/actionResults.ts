import { Cause, DateTime, Effect, Schema } from "effect"
import type { ActionCall } from "../../../integrations/plugins/index.ts"
import { isStorageUnavailable, transact } from "../../../kernel/index.ts"
import type { LaneLease } from "../../../platform/background/index.ts"
import type { ActionResult } from "../actions/ActionResult.ts"
import { AutomationRunId, isRunOver } from "./AutomationRun.ts"
import { AutomationRuns, type StoredAutomationRun } from "./AutomationRuns.ts"
import { laneOf, scheduleRunLanes } from "./contactLanes.ts"
import { loadRule } from "./contactRunQueue.ts"
import { nextAction, stepAutomationRun } from "./runSteps.ts"
import { saveRuns, saveRunsUnderLease, retryOnRunConflict } from "./savedRuns.ts"

/** Maximum number of attempts when an action fails with a service error. */
const maxAttempts = 5

/** Result of an action after a service error: a later retry, or a failure after the last attempt. */
export const toFailureResult = (attempts: number, now: DateTime.Utc): ActionResult =>
  attempts + 1 >= maxAttempts
    ? { kind: "refused", error: { code: "internal_error", detail: "The service failed to perform the action." } }
    : { kind: "wait", until: DateTime.add(now, { seconds: 2 ** attempts }), reason: "retry" }

/** Whether the cause is unrelated to the run: the process ends, the lease is lost, or the storage is unavailable. */
export const isProcessEnding = (cause: Cause.Cause<unknown>) =>
  Cause.hasInterrupts(cause) || isStorageUnavailable(cause) || !Cause.hasDies(cause)

/**
 * Schedules a retry of a run after a service error, so it does not block other runs. After the last attempt, the
 * action fails.
 */
export const recordRunFailure = Effect.fnUntraced(function* <E>(
  lease: LaneLease,
  { run: { id } }: StoredAutomationRun,
  cause: Cause.Cause<E>
) {
  if (isProcessEnding(cause)) return yield* Effect.failCause(cause)
  yield* Effect.logError(`The automation run ${id} has failed`, cause)
  const kept = yield* (yield* AutomationRuns).find(id)
  const action = kept === null ? null : nextAction(kept.run)
  if (kept === null || action === null) return
  const now = yield* DateTime.now
  const rule = yield* loadRule(kept.run.automationId, kept.run.automationVersion)
  const { index } = action
  const result = toFailureResult(action.attempts, now)
  const { run } = stepAutomationRun(kept.run, { _tag: "ActionDone", now, index, result, then: rule?.then ?? [] })
  yield* transact(saveRunsUnderLease(lease, [{ ...kept, run }]))
})

const isRunId = Schema.is(AutomationRunId)

const resultOf = ({ error, id, kind }: ActionCall): ActionResult =>
  error === null
    ? { kind: "done", effect: { kind, id } }
    : { kind: "refused", error: { code: error.code, detail: error.message } }

const resumeRun = Effect.fnUntraced(function* (runId: AutomationRunId, call: ActionCall) {
  const kept = yield* (yield* AutomationRuns).find(runId)
  if (kept === null || isRunOver(kept.run.state) || kept.run.contactId === null) return
  const asked = kept.run.actions.find(({ effect, state }) => state === "calling" && effect?.id === call.id)
  if (asked === undefined) return
  const rule = yield* loadRule(kept.run.automationId, kept.run.automationVersion)
  const { run } = stepAutomationRun(kept.run, {
    _tag: "CallEnded",
    now: yield* DateTime.now,
    index: asked.index,
    result: resultOf(call),
    then: rule?.then ?? [],
    attempts: Math.max(1, call.tries)
  })
  yield* saveRuns([{ ...kept, run }])
  yield* scheduleRunLanes([laneOf(kept.run.contactId)])
})

/** Continues a run after its call has ended. */
export const automationCallListener = {
  ended: Effect.fnUntraced(function* (call: ActionCall) {
    const { caller, runId } = call
    // Retries here, because a concurrent change of the run must not repeat the call.
    if (caller === "automation" && isRunId(runId)) yield* retryOnRunConflict(resumeRun(runId, call))
  }),
  /** A run ends before its call when its contact or its automation is deleted. */
  isGivenUp: Effect.fnUntraced(function* ({ caller, runId }: ActionCall) {
    if (caller !== "automation" || !isRunId(runId)) return false
    const kept = yield* (yield* AutomationRuns).find(runId)
    return kept !== null && isRunOver(kept.run.state)
  })
}
