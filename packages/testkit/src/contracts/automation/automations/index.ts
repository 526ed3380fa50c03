import { actionEffects } from "./actionEffects.ts"
import { automationClocks } from "./automationClocks.ts"
import { automationRunLists } from "./automationRunLists.ts"
import { automationRuns } from "./automationRuns.ts"
import { automations } from "./automations.ts"
import { contactAutomationRuns } from "./contactAutomationRuns.ts"
import { dueAutomationRuns } from "./dueAutomationRuns.ts"
import { httpCalls } from "./httpCalls.ts"
import { storedAutomationSettings } from "./storedAutomationSettings.ts"
import { triggerCalls } from "./triggerCalls.ts"
import { triggerTimers } from "./triggerTimers.ts"
import { triggerUrls } from "./triggerUrls.ts"

export { actionEffectsContract } from "./actionEffects.ts"
export { automationClocksContract } from "./automationClocks.ts"
export { automationRunListsContract } from "./automationRunLists.ts"
export { automationRunsContract } from "./automationRuns.ts"
export { automationsContract } from "./automations.ts"
export { contactAutomationRunsContract } from "./contactAutomationRuns.ts"
export { dueAutomationRunsContract } from "./dueAutomationRuns.ts"
export { performedActionsContract } from "./performedActions.ts"
export { storedAutomationSettingsContract } from "./storedAutomationSettings.ts"
export { triggerCallsContract } from "./triggerCalls.ts"
export { triggerTimersContract } from "./triggerTimers.ts"
export { triggerUrlsContract } from "./triggerUrls.ts"

export const automationsContracts = [
  automationClocks,
  httpCalls,
  triggerCalls,
  triggerTimers,
  triggerUrls,
  automationRuns,
  dueAutomationRuns,
  automationRunLists,
  contactAutomationRuns,
  actionEffects,
  automations,
  storedAutomationSettings
]
