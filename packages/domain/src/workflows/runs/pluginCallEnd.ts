import { DateTime, Effect, Schema } from "effect"
import { type ActionResult, withRunAsItIs } from "../../automation/index.ts"
import type { KeptPluginCall } from "../../plugins/index.ts"
import { makeCourses, nodeIn } from "./Course.ts"
import { keepRun } from "./keepRun.ts"
import { afterAction } from "./moving/afterAction.ts"
import { openWorkflowLanes } from "./runLanes.ts"
import { isWorkflowRunOver, WorkflowRunId } from "./WorkflowRun.ts"
import { WorkflowRuns } from "./WorkflowRuns.ts"

const isRunId = Schema.is(WorkflowRunId)

const resultOf = ({ error, id }: KeptPluginCall): ActionResult =>
  error === null
    ? { kind: "done", effect: { kind: "plugin_call", id } }
    : { kind: "refused", error: { code: error.code, detail: error.message } }

const goOn = Effect.fnUntraced(function* (runId: WorkflowRunId, call: KeptPluginCall) {
  const runs = yield* WorkflowRuns
  const kept = yield* runs.find(runId)
  if (kept === null || isWorkflowRunOver(kept.run)) return
  const course = yield* makeCourses()(kept.run.workflowId, kept.run.workflowVersion)
  const node = nodeIn(course, kept.run)
  const asked = (yield* runs.steps(kept.run.id)).at(-1)
  if (node?.kind !== "action" || asked?.state !== "calling" || asked.effect?.id !== call.id) return
  const moved = afterAction(kept, node, resultOf(call), yield* DateTime.now, call.output)
  yield* keepRun({ ...moved, goals: [] })
  yield* openWorkflowLanes([kept.lane])
})

/** A run goes on once the plugin that it has asked has acted, or has not. */
export const workflowCallEnd = {
  ended: Effect.fnUntraced(function* (call: KeptPluginCall) {
    const { caller, runId } = call
    // The plugin is not asked once more because somebody changes the run at the same time.
    if (caller === "workflow" && isRunId(runId)) yield* withRunAsItIs(goOn(runId, call))
  })
}
