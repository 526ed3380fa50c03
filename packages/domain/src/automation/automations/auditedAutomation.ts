import { Schema } from "effect"
import { type Automation, AutomationDefinition, definitionOf } from "./Automation.ts"

const encode = Schema.encodeSync(Schema.toCodecJson(AutomationDefinition))

/** What of an automation goes into the trail. */
export const auditedAutomation = (automation: Automation): Record<string, Schema.Json> => ({
  name: automation.name,
  position: automation.position,
  ...(encode(definitionOf(automation)) as Record<string, Schema.Json>)
})
