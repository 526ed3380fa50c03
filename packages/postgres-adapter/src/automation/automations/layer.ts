import { Layer } from "effect"
import * as ActionEffects from "./ActionEffects.ts"
import * as AutomationClocks from "./AutomationClocks.ts"
import * as TriggerTimers from "./TriggerTimers.ts"
import * as TriggerCalls from "./TriggerCalls.ts"
import * as TriggerUrls from "./TriggerUrls.ts"
import * as AutomationRuns from "./AutomationRuns.ts"
import * as Automations from "./Automations.ts"
import * as HttpCalls from "./HttpCalls.ts"
import * as StoredAutomationSettings from "./StoredAutomationSettings.ts"

export const layer = Layer.mergeAll(
  ActionEffects.layer,
  AutomationClocks.layer,
  TriggerTimers.layer,
  TriggerCalls.layer,
  TriggerUrls.layer,
  AutomationRuns.layer,
  Automations.layer,
  HttpCalls.layer,
  StoredAutomationSettings.layer
)
