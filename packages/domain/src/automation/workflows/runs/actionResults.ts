import { type Cause, DateTime, Effect, Schema } from "effect"
import type { ActionCall } from "../../../integrations/plugins/index.ts"
import { transact } from "../../../kernel/index.ts"
import { type LaneLease, LaneQueue } from "../../../platform/background/index.ts"
import { type ActionResult, isProcessEnding, toFailureResult, retryOnRunConflict } from "../../automations/index.ts"
import type { ActionNode } from "../graph/Node.ts"
import { isWorkflowRunOver, WorkflowRunId } from "./WorkflowRun.ts"
import { type StoredWorkflowRun, WorkflowRuns } from "./WorkflowRuns.ts"
import { type LoadedWorkflow, makeWorkflowLoader, findCurrentNode } from "./runContext.ts"
import { applyToRun } from "./savedRuns.ts"

/** Schedules a retry of a run after a service error, so it does not block other runs. After the last attempt, the action or the run fails. */
export const recordWorkflowRunFailure = Effect.fnUntraced(function* <E>(
  lease: LaneLease,
  course: LoadedWorkflow,
  { run: { id } }: StoredWorkflowRun,
  cause: Cause.Cause<E>
) {
  if (isProcessEnding(cause)) return yield* Effect.failCause(cause)
  yield* Effect.logError(`The workflow run ${id} has failed`, cause)
  const kept = yield* (yield* WorkflowRuns).find(id)
  if (kept === null || isWorkflowRunOver(kept.run)) return
  const now = yield* DateTime.now
  const found = findCurrentNode(course, kept.run)
  const node = found?.kind === "action" ? found : null
  const result = toFailureResult(kept.progress.attempts, now)
  const failed = applyToRun(kept, { _tag: "Crashed", now, node, result })
  yield* transact(Effect.andThen(failed, (yield* LaneQueue).hold(lease)))
})

const isRunId = Schema.is(WorkflowRunId)

const resultOf = ({ error, id, kind }: ActionCall): ActionResult =>
  error === null
    ? { kind: "done", effect: { kind, id } }
    : { kind: "refused", error: { code: error.code, detail: error.message } }

/** Finds the run of a call; `null` if it does not belong to a workflow. */
const findCallingRun = Effect.fnUntraced(function* ({ caller, runId }: ActionCall) {
  const nobody: StoredWorkflowRun | null = null
  return caller === "workflow" && isRunId(runId) ? yield* (yield* WorkflowRuns).find(runId) : nobody
})

/** Finds the node where the run waits for this call; `null` if it no longer waits for it. */
const findCallingNode = Effect.fnUntraced(function* ({ run }: StoredWorkflowRun, { id }: ActionCall) {
  const elsewhere: ActionNode | null = null
  if (isWorkflowRunOver(run)) return elsewhere
  const node = findCurrentNode(yield* makeWorkflowLoader()(run.workflowId, run.workflowVersion), run)
  const asked = (yield* (yield* WorkflowRuns).steps(run.id)).at(-1)
  return node?.kind === "action" && asked?.state === "calling" && asked.effect?.id === id ? node : elsewhere
})

const resumeRun = Effect.fnUntraced(function* (call: ActionCall) {
  const kept = yield* findCallingRun(call)
  const node = kept === null ? null : yield* findCallingNode(kept, call)
  if (kept === null || node === null) return
  const now = yield* DateTime.now
  yield* applyToRun(kept, { _tag: "CallEnded", now, node, result: resultOf(call), output: call.output })
})

/** Continues a run after its call has ended. A call is abandoned if the run has ended or left the node. */
export const workflowCallListener = {
  // Retries here, because a concurrent change of the run must not repeat the call.
  ended: (call: ActionCall) => retryOnRunConflict(resumeRun(call)),
  isGivenUp: Effect.fnUntraced(function* (call: ActionCall) {
    const kept = yield* findCallingRun(call)
    return kept !== null && (yield* findCallingNode(kept, call)) === null
  })
}
