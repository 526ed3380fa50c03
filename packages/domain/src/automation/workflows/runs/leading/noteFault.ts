import { type Cause, DateTime, Effect } from "effect"
import { endsTheTurn, resultOfFault } from "../../../automations/index.ts"
import { transact } from "../../../../kernel/index.ts"
import { type LaneLease, LaneQueue } from "../../../../platform/background/index.ts"
import { type Course, nodeIn } from "../Course.ts"
import { keepRun, tripOf } from "../keepRun.ts"
import { afterAction } from "../moving/afterAction.ts"
import { failed, type Moved, postponed } from "../moving/moves.ts"
import { isWorkflowRunOver } from "../WorkflowRun.ts"
import { type KeptWorkflowRun, WorkflowRuns } from "../WorkflowRuns.ts"

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
