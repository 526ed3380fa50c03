import { Layer } from "effect"
import * as ActionEffects from "./ActionEffects.ts"
import * as TriggerClocks from "./TriggerClocks.ts"
import * as AutomationRuns from "./AutomationRuns.ts"
import * as Automations from "./Automations.ts"
import * as StoredAutomationSettings from "./StoredAutomationSettings.ts"

export const layer = Layer.mergeAll(
  ActionEffects.layer,
  TriggerClocks.layer,
  AutomationRuns.layer,
  Automations.layer,
  StoredAutomationSettings.layer
)
