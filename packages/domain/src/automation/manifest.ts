import { defineArea, seenWith } from "../kernel/index.ts"
import { actionWorks } from "./actions/work.ts"
import { AutomationEvent } from "./Events.ts"
import { automationStorage } from "./Storage.ts"

/** What this area says of itself. */
export const automationArea = defineArea({
  name: "automation",
  storage: automationStorage,
  events: seenWith(AutomationEvent, {
    "automation.created": "automations.read",
    "automation.updated": "automations.read",
    "automation.enabled": "automations.read",
    "automation.disabled": "automations.read",
    "automation.deleted": "automations.read"
  }),
  works: actionWorks,
  permissions: ["automations.read", "automations.manage"],
  features: ["automations"]
})
