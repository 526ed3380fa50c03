import { ActionEffects } from "./actions/ActionEffects.ts"
import { Automations } from "./Automations.ts"
import { AutomationClocks } from "./runs/clocks/AutomationClocks.ts"
import { AutomationRuns } from "./runs/AutomationRuns.ts"
import { StoredAutomationSettings } from "./StoredAutomationSettings.ts"

/** The ports that a storage adapter provides of this area. */
export const automationStorage = [
  ActionEffects,
  AutomationClocks,
  Automations,
  AutomationRuns,
  StoredAutomationSettings
] as const
