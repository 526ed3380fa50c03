import { Schema } from "effect"
import { eventAppender } from "../../kernel/index.ts"
import { AutomationDisabledReason } from "./Automation.ts"
import { AutomationId } from "./AutomationId.ts"
import { AutomationRunId, AbortReason } from "./runs/AutomationRun.ts"
import { AutomationTriggered } from "./triggerUrls/AutomationTriggered.ts"

export const AutomationEvent = Schema.Union([
  Schema.Struct({ type: Schema.Literal("automation.created"), automationId: AutomationId }),
  Schema.Struct({ type: Schema.Literal("automation.updated"), automationId: AutomationId }),
  Schema.Struct({ type: Schema.Literal("automation.enabled"), automationId: AutomationId }),
  Schema.Struct({
    type: Schema.Literal("automation.disabled"),
    automationId: AutomationId,
    disabledReason: Schema.NullOr(AutomationDisabledReason).annotateKey({
      description: "`failing`: its last runs have failed. Null if a member or token disabled it."
    })
  }),
  Schema.Struct({
    type: Schema.Literal("automation.deleted"),
    automationId: AutomationId,
    cancelledRuns: Schema.optionalKey(Schema.Int).annotateKey({
      description: "Number of live runs that were aborted."
    })
  }),
  Schema.Struct({ type: Schema.Literal("automations.paused") }),
  Schema.Struct({ type: Schema.Literal("automations.resumed") }),
  Schema.Struct({
    type: Schema.Literal("automation.run_failed"),
    automationId: AutomationId,
    runId: AutomationRunId
  }),
  Schema.Struct({
    type: Schema.Literal("automation.run_aborted"),
    automationId: AutomationId,
    runId: AutomationRunId,
    reason: AbortReason
  }),
  Schema.Struct({
    type: Schema.Literal("automation.run_cancelled"),
    automationId: AutomationId,
    runId: AutomationRunId
  }),
  AutomationTriggered
])
export type AutomationEvent = typeof AutomationEvent.Type

/** Appends an event of this area in the commit of the change that it describes. */
export const appendEvent = eventAppender<AutomationEvent>()
