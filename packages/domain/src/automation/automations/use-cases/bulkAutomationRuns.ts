import { Effect } from "effect"
import { missingIdsAreInvalid, requireReach, transact, useCase } from "../../../kernel/index.ts"
import { recordAudit } from "../../../platform/audit/index.ts"
import { startJob } from "../../../platform/jobs/index.ts"
import { definitionOf } from "../Automation.ts"
import type { AutomationId } from "../AutomationId.ts"
import { Automations } from "../Automations.ts"
import { needsOfAutomations } from "../automationPermissions.ts"
import { type AutomationRunsToCancel, cancelAutomationRunsJob, LiveAutomationRunState } from "../cancelRunsJob.ts"
import { type AutomationRunsToRerun, rerunAutomationRunsJob } from "../rerunRunsJob.ts"
import { AutomationRuns } from "../runs/AutomationRuns.ts"
import { loadEnabledAutomation } from "../runs/reruns.ts"
import {
  type AutomationRunSelection,
  resolveRunFilter,
  type RunCount,
  type RunFilter,
  toAuditSelection
} from "../runs/runSelection.ts"

/** Resolves a filter and counts its runs. */
const selectRuns = Effect.fnUntraced(function* (
  automationId: AutomationId,
  filter: RunFilter,
  kind: Pick<AutomationRunSelection, "rerun" | "states">
) {
  const selection: AutomationRunSelection = { ...kind, ...(yield* missingIdsAreInvalid(resolveRunFilter(filter))) }
  const count = yield* (yield* AutomationRuns).countSelected(automationId, selection)
  const counted: RunCount = { count }
  return { selection, counted, total: count }
})

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
    const { counted, selection, total } = yield* selectRuns(automationId, filter, { states, rerun: "included" })
    if (preview) return counted
    const job = yield* startJob(cancelAutomationRunsJob, { automationId, selection, total }, { total })
    yield* recordAudit(
      "automation.runs_cancelled",
      { kind: "automation", id: automationId },
      { after: { jobId: job.id, count: total, ...toAuditSelection(selection) } }
    )
    return job
  }, transact)
)

/** Repeats the ended runs of an automation that match a filter, with a background job. A preview only counts them. */
export const rerunAutomationRuns = useCase(
  {
    name: "automation.rerunRuns",
    access: { permission: "automations.manage" },
    feature: "automations",
    actsThrough: "automation",
    audit: "automation.runs_rerun",
    emits: ["job.started"]
  },
  Effect.fnUntraced(function* ({
    id: automationId,
    filter: { state = "failed", ...filter },
    preview = false
  }: { readonly id: AutomationId } & AutomationRunsToRerun) {
    const automation = yield* loadEnabledAutomation(automationId)
    yield* requireReach(yield* needsOfAutomations([definitionOf(automation)]))
    const kind = { states: [state], rerun: "excluded" } as const
    const { counted, selection, total } = yield* selectRuns(automationId, filter, kind)
    if (preview) return counted
    const job = yield* startJob(rerunAutomationRunsJob, { automationId, selection, total }, { total })
    yield* recordAudit(
      "automation.runs_rerun",
      { kind: "automation", id: automationId },
      { after: { jobId: job.id, count: total, ...toAuditSelection(selection) } }
    )
    return job
  }, transact)
)
