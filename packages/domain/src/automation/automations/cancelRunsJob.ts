import { DateTime, Effect, Schema } from "effect"
import { defineJob, JobFailed } from "../../platform/jobs/index.ts"
import { AutomationId } from "./AutomationId.ts"
import { Automations } from "./Automations.ts"
import { AutomationRuns } from "./runs/AutomationRuns.ts"
import { laneOf, scheduleRunLanes } from "./runs/contactLanes.ts"
import { AutomationRunSelection, runFilterFields, RunPreview } from "./runs/runSelection.ts"
import { stepAutomationRun } from "./runs/runSteps.ts"
import { saveRuns } from "./runs/savedRuns.ts"

/** States of an automation run that has not ended. */
export const LiveAutomationRunState = Schema.Literals(["queued", "running"])

/** Runs to cancel. */
export const AutomationRunsToCancel = Schema.Struct({
  filter: Schema.Struct({
    state: Schema.optionalKey(LiveAutomationRunState).annotateKey({
      description: "Only runs in this state. Default: `queued` and `running`."
    }),
    ...runFilterFields
  }).annotateKey({ description: "Filter of runs; `{}` matches all runs that have not ended." }),
  preview: RunPreview
}).annotate({ identifier: "AutomationRunsToCancel" })
export type AutomationRunsToCancel = typeof AutomationRunsToCancel.Type

/** Number of runs per step. */
const batchSize = 100

/** Cancels the selected runs of an automation that have not ended. */
export const cancelAutomationRunsJob = defineJob({
  name: "automations.cancel_runs",
  needs: ["automations.manage"],
  input: Schema.Struct({ automationId: AutomationId, selection: AutomationRunSelection, total: Schema.Int }),
  checkpoint: Schema.Struct({ after: Schema.NullOr(Schema.Array(Schema.String)), cancelled: Schema.Int }),
  step: Effect.fnUntraced(function* ({ automationId, selection, total }, checkpoint) {
    const { after, cancelled: before } = checkpoint ?? { after: null, cancelled: 0 }
    yield* Effect.mapError(
      (yield* Automations).get(automationId),
      () => new JobFailed({ reason: "The automation was deleted." })
    )
    const live = yield* (yield* AutomationRuns).lockSelected(automationId, selection, { after, limit: batchSize })
    const now = yield* DateTime.now
    // The runs are locked until this unit of work ends, so no conflict is possible.
    yield* Effect.orDie(
      saveRuns(live.map((kept) => ({ ...kept, run: stepAutomationRun(kept.run, { _tag: "Cancelled", now }).run })))
    )
    // The next runs of the contacts have waited for these.
    yield* scheduleRunLanes(live.flatMap(({ run: { contactId } }) => (contactId === null ? [] : [laneOf(contactId)])))
    const last = live.at(-1)?.run
    const cancelled = before + live.length
    const done = live.length < batchSize
    const skipped = done ? Math.max(0, total - cancelled) : 0
    return {
      checkpoint: { after: last === undefined ? after : [String(last.event.position), last.id], cancelled },
      done,
      progress: { done: cancelled + skipped, total },
      counts: { cancelled, skipped }
    }
  })
})
