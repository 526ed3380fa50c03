import { Effect, Schema } from "effect"
import { requirePermissions } from "../../kernel/index.ts"
import { defineJob, JobFailed } from "../../platform/jobs/index.ts"
import { definitionOf } from "./Automation.ts"
import { AutomationId } from "./AutomationId.ts"
import { needsOfAutomations } from "./automationPermissions.ts"
import { AutomationRuns } from "./runs/AutomationRuns.ts"
import { loadEnabledAutomation, rerunRuns } from "./runs/reruns.ts"
import { AutomationRunSelection, runFilterFields, RunPreview } from "./runs/runSelection.ts"

/** States of an ended run with actions to perform. A succeeded run has none. */
export const RerunnableAutomationRunState = Schema.Literals(["failed", "aborted", "cancelled", "skipped"])

/** Runs to repeat. */
export const AutomationRunsToRerun = Schema.Struct({
  filter: Schema.Struct({
    state: Schema.optionalKey(RerunnableAutomationRunState).annotateKey({
      description: "Only runs in this state. Default: `failed`."
    }),
    ...runFilterFields
  }).annotateKey({ description: "Filter of runs; `{}` matches all failed runs." }),
  preview: RunPreview
}).annotate({ identifier: "AutomationRunsToRerun" })
export type AutomationRunsToRerun = typeof AutomationRunsToRerun.Type

/** Number of runs per step. */
const batchSize = 100

/** Repeats the selected runs of an automation. The requester must hold all permissions that the automation reaches. */
export const rerunAutomationRunsJob = defineJob({
  name: "automations.rerun_runs",
  needs: ["automations.manage"],
  input: Schema.Struct({ automationId: AutomationId, selection: AutomationRunSelection, total: Schema.Int }),
  checkpoint: Schema.Struct({
    after: Schema.NullOr(Schema.Array(Schema.String)),
    started: Schema.Int,
    contactGone: Schema.Int,
    contactBlocked: Schema.Int,
    repeated: Schema.Int
  }),
  step: Effect.fnUntraced(
    function* ({ automationId, selection, total }, checkpoint) {
      const { after, ...before } = checkpoint ?? {
        after: null,
        started: 0,
        contactGone: 0,
        contactBlocked: 0,
        repeated: 0
      }
      const automation = yield* loadEnabledAutomation(automationId)
      yield* requirePermissions(yield* needsOfAutomations([definitionOf(automation)]))
      const ended = yield* (yield* AutomationRuns).lockSelected(automationId, selection, { after, limit: batchSize })
      const found = yield* rerunRuns(
        automation,
        ended.map(({ run }) => run)
      )
      const counts = {
        started: before.started + found.started,
        contactGone: before.contactGone + found.contactGone,
        contactBlocked: before.contactBlocked + found.contactBlocked,
        repeated: before.repeated + found.repeated
      }
      const last = ended.at(-1)?.run
      const done = ended.length < batchSize
      const handled = counts.started + counts.contactGone + counts.contactBlocked + counts.repeated
      // Other jobs have repeated these runs since the call.
      const others = done ? Math.max(0, total - handled) : 0
      return {
        checkpoint: { after: last === undefined ? after : [String(last.event.position), last.id], ...counts },
        done,
        progress: { done: handled + others, total },
        counts: { ...counts, repeated: counts.repeated + others }
      }
    },
    Effect.catchTags({
      AutomationNotEnabled: () => new JobFailed({ reason: "The automation is no longer enabled." }),
      NotFound: () => new JobFailed({ reason: "The automation was deleted." })
    })
  )
})
