import { Schema } from "effect"
import { AutomationId } from "./Automation.ts"

/** Events of automations. */
export const AutomationEvent = Schema.Union([
  Schema.Struct({ type: Schema.Literal("automation.created"), automationId: AutomationId }),
  Schema.Struct({ type: Schema.Literal("automation.updated"), automationId: AutomationId }),
  Schema.Struct({ type: Schema.Literal("automation.enabled"), automationId: AutomationId }),
  Schema.Struct({ type: Schema.Literal("automation.disabled"), automationId: AutomationId }),
  Schema.Struct({ type: Schema.Literal("automation.deleted"), automationId: AutomationId })
])
export type AutomationEvent = typeof AutomationEvent.Type
