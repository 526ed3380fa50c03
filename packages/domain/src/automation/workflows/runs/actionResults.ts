import { type Cause, DateTime, Effect, Schema } from "effect"
import type { KeptPluginCall } from "../../../integrations/plugins/index.ts"
import { transact } from "../../../kernel/index.ts"
import { type LaneLease, LaneQueue } from "../../../platform/background/index.ts"
import { type ActionResult, endsTheTurn, resultOfFault, withRunAsItIs } from "../../automations/index.ts"
import type { ActionNode } from "../graph/Node.ts"
import { isWorkflowRunOver, WorkflowRunId } from "./WorkflowRun.ts"
import { type KeptWorkflowRun, WorkflowRuns } from "./WorkflowRuns.ts"
import { afterAction } from "./nodeRules.ts"
import { type Course, makeCourses, nodeIn } from "./runContext.ts"
import { failed, type Moved, postponed } from "./runTransitions.ts"
import { keepRun, openWorkflowLanes, tripOf } from "./savedRuns.ts"

/** The run in whose node the service has failed once more: it is tried again later; at last its action has failed, or the run. */
const afterFault = (course: Course, kept: KeptWorkflowRun, now: DateTime.Utc): Moved => {
  const result = resultOfFault(kept.progress.attempts, now)
  if (result.kind === "wait") {
    return { kept: postponed(kept, result.until, kept.progress.attempts + 1), steps: [] }
  }
  const node = nodeIn(course, kept.run)
  if (node?.kind === "action") return afterAction(kept, node, result, now)
  return { kept: failed(kept, "action_failed", now), steps: [] }
}

/** Has a run in which the service itself fails tried again later, so that it holds back no other. */
export const noteRunFault = Effect.fnUntraced(function* <E>(
  lease: LaneLease,
  course: Course,
  { run: { id } }: KeptWorkflowRun,
  cause: Cause.Cause<E>
) {
  if (endsTheTurn(cause)) return yield* Effect.failCause(cause)
  yield* Effect.logError(`The workflow run ${id} has failed`, cause)
  const kept = yield* (yield* WorkflowRuns).find(id)
  if (kept === null || isWorkflowRunOver(kept.run)) return
  const moved = afterFault(course, kept, yield* DateTime.now)
  yield* transact(Effect.andThen(keepRun({ ...tripOf(kept), ...moved }), (yield* LaneQueue).hold(lease)))
})

const isRunId = Schema.is(WorkflowRunId)

const resultOf = ({ error, id }: KeptPluginCall): ActionResult =>
  error === null
    ? { kind: "done", effect: { kind: "plugin_call", id } }
    : { kind: "refused", error: { code: error.code, detail: error.message } }

/** The run that has asked for a call; `null` where that is nobody whom workflows know. */
const askedBy = Effect.fnUntraced(function* ({ caller, runId }: KeptPluginCall) {
  const nobody: KeptWorkflowRun | null = null
  return caller === "workflow" && isRunId(runId) ? yield* (yield* WorkflowRuns).find(runId) : nobody
})

/** The node in which a run waits for what comes of a call; `null` where it does not any more. */
const waitingIn = Effect.fnUntraced(function* ({ run }: KeptWorkflowRun, { id }: KeptPluginCall) {
  const elsewhere: ActionNode | null = null
  if (isWorkflowRunOver(run)) return elsewhere
  const node = nodeIn(yield* makeCourses()(run.workflowId, run.workflowVersion), run)
  const asked = (yield* (yield* WorkflowRuns).steps(run.id)).at(-1)
  return node?.kind === "action" && asked?.state === "calling" && asked.effect?.id === id ? node : elsewhere
})

const goOn = Effect.fnUntraced(function* (call: KeptPluginCall) {
  const kept = yield* askedBy(call)
  const node = kept === null ? null : yield* waitingIn(kept, call)
  if (kept === null || node === null) return
  const moved = afterAction(kept, node, resultOf(call), yield* DateTime.now, call.output)
  yield* keepRun({ ...moved, goals: [] })
  yield* openWorkflowLanes([kept.lane])
})

/** A run goes on once the plugin that it has asked has acted, or has not. Once it is over or elsewhere, the plugin is not asked any more. */
export const workflowCallEnd = {
  // The plugin is not asked once more because somebody changes the run at the same time.
  ended: (call: KeptPluginCall) => withRunAsItIs(goOn(call)),
  isGivenUp: Effect.fnUntraced(function* (call: KeptPluginCall) {
    const kept = yield* askedBy(call)
    return kept !== null && (yield* waitingIn(kept, call)) === null
  })
}
