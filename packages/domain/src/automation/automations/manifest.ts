import { defineArea, seenWith } from "../../kernel/index.ts"
import { actionWorks } from "./actions/work.ts"
import { AutomationEvent } from "./Events.ts"
import { holdsAssignments } from "./holdsAssignments.ts"
import { automationResources } from "./eventResources.ts"
import { automationCallEnd } from "./runs/pluginCallEnd.ts"
import { automationReactions } from "./runs/Reactions.ts"
import { runHolding } from "./runs/runHolding.ts"
import { runWorks } from "./runs/work.ts"
import { automationStorage } from "./Storage.ts"
import { automationsOfPlugin, automationsOfSchedule, automationsOfSubscription, automationUse } from "./usage.ts"

/** What this area says of itself. */
export const automationArea = defineArea({
  name: "automation/automations",
  storage: automationStorage,
  events: seenWith(AutomationEvent, {
    "automation.created": "automations.read",
    "automation.updated": "automations.read",
    "automation.enabled": "automations.read",
    "automation.disabled": "automations.read",
    "automation.deleted": "automations.read",
    "automations.paused": "automations.read",
    "automations.resumed": "automations.read",
    "automation.run_failed": "automations.read",
    "automation.run_cut": "automations.read"
  }),
  eventResources: automationResources,
  works: [...actionWorks, ...runWorks],
  reactions: automationReactions,
  assignmentHolds: [holdsAssignments],
  contactHoldings: [runHolding],
  pluginCallEnds: [automationCallEnd],
  permissions: ["automations.read", "automations.manage"],
  features: ["automations"],
  limitUses: [automationUse],
  pluginUses: [automationsOfPlugin],
  subscriptionUses: [automationsOfSubscription],
  scheduleUses: [automationsOfSchedule]
})
