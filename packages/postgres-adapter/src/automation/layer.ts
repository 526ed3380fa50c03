import { Layer } from "effect"
import * as ActionEffects from "./ActionEffects.ts"
import * as AutomationClocks from "./AutomationClocks.ts"
import * as AutomationRuns from "./AutomationRuns.ts"
import * as Automations from "./Automations.ts"
import * as StoredAutomationSettings from "./StoredAutomationSettings.ts"

/** The storage of this area. */
export const layer = Layer.mergeAll(
  ActionEffects.layer,
  AutomationClocks.layer,
  AutomationRuns.layer,
  Automations.layer,
  StoredAutomationSettings.layer
)
