import { requestsProblems } from "./problems/requests.ts"
import { kernelProblems } from "./problems/kernel.ts"
import { platformProblems } from "./problems/platform.ts"
import { crmProblems } from "./problems/crm.ts"
import { messagingProblems } from "./problems/messaging.ts"
import { campaignsProblems } from "./problems/campaigns.ts"
import { commerceProblems } from "./problems/commerce.ts"
import { automationProblems } from "./problems/automation.ts"
import { integrationsProblems } from "./problems/integrations.ts"

export * from "./problems/requests.ts"
export * from "./problems/kernel.ts"
export * from "./problems/platform.ts"
export * from "./problems/crm.ts"
export * from "./problems/messaging.ts"
export * from "./problems/campaigns.ts"
export * from "./problems/commerce.ts"
export * from "./problems/automation.ts"
export * from "./problems/integrations.ts"

/** All problems by the tag of their error. */
export const problems = {
  ...requestsProblems,
  ...kernelProblems,
  ...platformProblems,
  ...crmProblems,
  ...messagingProblems,
  ...campaignsProblems,
  ...commerceProblems,
  ...automationProblems,
  ...integrationsProblems
}
