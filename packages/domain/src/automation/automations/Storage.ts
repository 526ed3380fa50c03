import { ActionEffects } from "./actions/ActionEffects.ts"
import { Automations } from "./Automations.ts"
import { AutomationRuns } from "./runs/AutomationRuns.ts"
import { TriggerClocks } from "./runs/clocks/TriggerClocks.ts"
import { StoredAutomationSettings } from "./StoredAutomationSettings.ts"

/** The ports that a storage adapter provides of this area. */
export const automationStorage = [
  ActionEffects,
  Automations,
  AutomationRuns,
  StoredAutomationSettings,
  TriggerClocks
] as const
