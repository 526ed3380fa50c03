import { DateTime, Effect } from "effect"
import { record } from "../../../platform/audit/index.ts"
import type { WorkflowId } from "../../automations/index.ts"
import { transact, useCase } from "../../../kernel/index.ts"
import { explainRun } from "../runs/explainRun.ts"
import { keepRun, tripOf } from "../runs/keepRun.ts"
import { cancelled } from "../runs/moving/moves.ts"
import { RunEnded } from "../runs/RunEnded.ts"
import { isWorkflowRunOver, type WorkflowRunId } from "../runs/WorkflowRun.ts"
import { WorkflowRuns } from "../runs/WorkflowRuns.ts"

/** Ends a run where it is. */
export const cancelWorkflowRun = useCase(
  "workflows.cancel_run",
  { access: { permission: "workflows.manage" }, gatedBy: "workflows", actsThrough: "nothing" },
  Effect.fnUntraced(function* (id: WorkflowId, runId: WorkflowRunId) {
    const runs = yield* WorkflowRuns
    const { contactId } = yield* runs.get(id, runId)
    // Whoever leads it on meanwhile is done before, or does nothing.
    const live = contactId === null ? [] : yield* runs.lockLive([contactId])
    const kept = live.find(({ run }) => run.id === runId)
    if (kept === undefined || isWorkflowRunOver(kept.run)) return yield* new RunEnded()
    const { run } = yield* Effect.orDie(keepRun(tripOf(cancelled(kept, yield* DateTime.now))))
    yield* record(
      "workflow.run_cancelled",
      { kind: "workflow_run", id: runId },
      { before: { state: kept.run.state }, after: { state: run.state } }
    )
    return yield* explainRun(run)
  }, transact)
)
