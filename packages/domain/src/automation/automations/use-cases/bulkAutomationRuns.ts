import { Effect } from "effect"
import { missingIdsAreInvalid, transact, useCase } from "../../../kernel/index.ts"
import { recordAudit } from "../../../platform/audit/index.ts"
import { startJob } from "../../../platform/jobs/index.ts"
import type { AutomationId } from "../AutomationId.ts"
import { Automations } from "../Automations.ts"
import { type AutomationRunsToCancel, cancelAutomationRunsJob, LiveAutomationRunState } from "../cancelRunsJob.ts"
import { AutomationRuns } from "../runs/AutomationRuns.ts"
import { type AutomationRunSelection, resolveRunFilter, type RunCount, toAuditSelection } from "../runs/runSelection.ts"

/** Cancels the runs of an automation that match a filter and have not ended, with a background job. A preview only counts them. */
export const cancelAutomationRuns = useCase(
  {
    name: "automation.cancelRuns",
    access: { permission: "automations.manage" },
    feature: "automations",
    actsThrough: "nothing",
    audit: "automation.runs_cancelled",
    emits: ["job.started"]
  },
  Effect.fnUntraced(function* ({
    id: automationId,
    filter: { state, ...filter },
    preview = false
  }: { readonly id: AutomationId } & AutomationRunsToCancel) {
    yield* (yield* Automations).get(automationId)
    const states = state === undefined ? LiveAutomationRunState.literals : [state]
    const selected = yield* missingIdsAreInvalid(resolveRunFilter(filter))
    const selection: AutomationRunSelection = { states, ...selected }
    const count = yield* (yield* AutomationRuns).countSelected(automationId, selection)
    const counted: RunCount = { count }
    if (preview) return counted
    const job = yield* startJob(cancelAutomationRunsJob, { automationId, selection, total: count }, { total: count })
    yield* recordAudit(
      "automation.runs_cancelled",
      { kind: "automation", id: automationId },
      { after: { jobId: job.id, count, states, ...toAuditSelection(selected) } }
    )
    return job
  }, transact)
)
