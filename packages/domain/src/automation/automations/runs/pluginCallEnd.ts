import { DateTime, Effect, Schema } from "effect"
import type { KeptPluginCall } from "../../../integrations/plugins/index.ts"
import type { ActionResult } from "../actions/ActionResult.ts"
import { AutomationRun, AutomationRunId, isRunOver } from "./AutomationRun.ts"
import { AutomationRuns } from "./AutomationRuns.ts"
import { keepRuns } from "./performing/keepRuns.ts"
import { withRunAsItIs } from "./performing/RunMoved.ts"
import { afterAction } from "./performing/step.ts"
import { laneOf } from "./contactLanes.ts"
import { openRunLanes } from "./runLane.ts"
import { ruleOf } from "./Rule.ts"

const isRunId = Schema.is(AutomationRunId)

const resultOf = ({ error, id }: KeptPluginCall): ActionResult =>
  error === null
    ? { kind: "done", effect: { kind: "plugin_call", id } }
    : { kind: "refused", error: { code: error.code, detail: error.message } }

/** An action of a plugin was attempted as often as the plugin was asked. */
const triedAs = (run: AutomationRun, index: number, { tries }: KeptPluginCall) =>
  new AutomationRun({
    ...run,
    actions: run.actions.map((each) => (each.index === index ? { ...each, attempts: Math.max(1, tries) } : each))
  })

const goOn = Effect.fnUntraced(function* (runId: AutomationRunId, call: KeptPluginCall) {
  const kept = yield* (yield* AutomationRuns).find(runId)
  if (kept === null || isRunOver(kept.run.state) || kept.run.contactId === null) return
  const asked = kept.run.actions.find(({ effect, state }) => state === "calling" && effect?.id === call.id)
  if (asked === undefined) return
  const rule = yield* ruleOf(kept.run.automationId, kept.run.automationVersion)
  const then = rule?.then ?? []
  const ended = afterAction(kept.run, { then }, asked.index, resultOf(call), yield* DateTime.now)
  const run = triedAs(ended, asked.index, call)
  yield* keepRuns([{ ...kept, run }])
  yield* openRunLanes([laneOf(kept.run.contactId)])
})

/** A run goes on once the plugin that it has asked has acted, or has not. */
export const automationCallEnd = {
  ended: Effect.fnUntraced(function* (call: KeptPluginCall) {
    const { caller, runId } = call
    // The plugin is not asked once more because somebody changes the run at the same time.
    if (caller === "automation" && isRunId(runId)) yield* withRunAsItIs(goOn(runId, call))
  }),
  /** A run ends before its call when its contact or its automation is deleted. */
  isGivenUp: Effect.fnUntraced(function* ({ caller, runId }: KeptPluginCall) {
    if (caller !== "automation" || !isRunId(runId)) return false
    const kept = yield* (yield* AutomationRuns).find(runId)
    return kept !== null && isRunOver(kept.run.state)
  })
}
