import { byId, byNothing, eventResource, type EventShape, idIn } from "../../kernel/index.ts"
import { AutomationId, AutomationView } from "./Automation.ts"
import { AutomationSettings } from "./AutomationSettings.ts"
import { AutomationRun, AutomationRunId } from "./runs/AutomationRun.ts"
import { getAutomation } from "./use-cases/getAutomation.ts"
import { getAutomationRun } from "./use-cases/getAutomationRun.ts"
import { getAutomationSettings } from "./use-cases/getAutomationSettings.ts"

const runs = (event: EventShape): [AutomationId, AutomationRunId] | null => {
  const [id, runId] = [idIn(event, "automationId", AutomationId), idIn(event, "runId", AutomationRunId)]
  return id === null || runId === null ? null : [id, runId]
}

/** What the events of this area are about, as GET answers it. */
export const automationResources = [
  eventResource("automation", getAutomation, AutomationView, byId("automationId", AutomationId)),
  eventResource("automations", getAutomationSettings, AutomationSettings, byNothing),
  eventResource(["automation.run_failed", "automation.run_cut"], getAutomationRun, AutomationRun, runs)
] as const
