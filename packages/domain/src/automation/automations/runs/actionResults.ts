import { Cause, DateTime, Effect, Schema } from "effect"
import type { StoredPluginCall } from "../../../integrations/plugins/index.ts"
import { isStorageUnavailable, transact } from "../../../kernel/index.ts"
import type { LaneLease } from "../../../platform/background/index.ts"
import type { ActionResult } from "../actions/ActionResult.ts"
import { AutomationRun, AutomationRunId, isRunOver } from "./AutomationRun.ts"
import { AutomationRuns, type StoredAutomationRun } from "./AutomationRuns.ts"
import { laneOf, scheduleRunLanes } from "./contactLanes.ts"
import { loadRule } from "./contactRunQueue.ts"
import { afterAction, nextAction } from "./runSteps.ts"
import { saveRuns, saveRunsUnderLease, retryOnRunConflict } from "./savedRuns.ts"

/** So often is an action tried in which the service itself fails. */
const maxAttempts = 5

/** What comes of an action in which the service has failed once more: it is tried again later, and at last it has failed. */
export const toFailureResult = (attempts: number, now: DateTime.Utc): ActionResult =>
  attempts + 1 >= maxAttempts
    ? { kind: "refused", error: { code: "internal_error", detail: "The service has failed to perform it." } }
    : { kind: "wait", until: DateTime.add(now, { seconds: 2 ** attempts }), reason: "retry" }

/** Whether the cause says nothing about the run: the process ends, the lease is somebody else's, the storage is away. */
export const isProcessEnding = (cause: Cause.Cause<unknown>) =>
  Cause.hasInterrupts(cause) || isStorageUnavailable(cause) || !Cause.hasDies(cause)

/** Has a run in which the service itself fails tried again later, so that it holds back no other; at last its action has failed. */
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
  const run = afterAction(kept.run, rule ?? { then: [] }, action.index, toFailureResult(action.attempts, now), now)
  yield* transact(saveRunsUnderLease(lease, [{ ...kept, run }]))
})

const isRunId = Schema.is(AutomationRunId)

const resultOf = ({ error, id }: StoredPluginCall): ActionResult =>
  error === null
    ? { kind: "done", effect: { kind: "plugin_call", id } }
    : { kind: "refused", error: { code: error.code, detail: error.message } }

/** An action of a plugin was attempted as often as the plugin was asked. */
const withCallAttempts = (run: AutomationRun, index: number, { tries }: StoredPluginCall) =>
  new AutomationRun({
    ...run,
    actions: run.actions.map((each) => (each.index === index ? { ...each, attempts: Math.max(1, tries) } : each))
  })

const resumeRun = Effect.fnUntraced(function* (runId: AutomationRunId, call: StoredPluginCall) {
  const kept = yield* (yield* AutomationRuns).find(runId)
  if (kept === null || isRunOver(kept.run.state) || kept.run.contactId === null) return
  const asked = kept.run.actions.find(({ effect, state }) => state === "calling" && effect?.id === call.id)
  if (asked === undefined) return
  const rule = yield* loadRule(kept.run.automationId, kept.run.automationVersion)
  const then = rule?.then ?? []
  const ended = afterAction(kept.run, { then }, asked.index, resultOf(call), yield* DateTime.now)
  const run = withCallAttempts(ended, asked.index, call)
  yield* saveRuns([{ ...kept, run }])
  yield* scheduleRunLanes([laneOf(kept.run.contactId)])
})

/** A run goes on once the plugin that it has asked has acted, or has not. */
export const automationCallListener = {
  ended: Effect.fnUntraced(function* (call: StoredPluginCall) {
    const { caller, runId } = call
    // The plugin is not asked once more because somebody changes the run at the same time.
    if (caller === "automation" && isRunId(runId)) yield* retryOnRunConflict(resumeRun(runId, call))
  }),
  /** A run ends before its call when its contact or its automation is deleted. */
  isGivenUp: Effect.fnUntraced(function* ({ caller, runId }: StoredPluginCall) {
    if (caller !== "automation" || !isRunId(runId)) return false
    const kept = yield* (yield* AutomationRuns).find(runId)
    return kept !== null && isRunOver(kept.run.state)
  })
}
