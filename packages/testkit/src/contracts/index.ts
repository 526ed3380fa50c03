import { runContracts } from "./contract.ts"
import { kernelContracts, kernelSecurityContracts } from "./kernel/index.ts"
import { identityContracts, identitySecurityContracts } from "./platform/identity/index.ts"
import { backgroundContracts } from "./platform/background/index.ts"
import { mailContracts } from "./platform/mail/index.ts"
import { entitlementsContracts } from "./platform/entitlements/index.ts"
import { auditContracts } from "./platform/audit/index.ts"
import { eventsContracts } from "./platform/events/index.ts"
import { docsHandoffContracts } from "./platform/docs-handoff/index.ts"
import { jobsContracts } from "./platform/jobs/index.ts"
import { filesContracts } from "./platform/files/index.ts"
import { analyticsContracts } from "./analytics/index.ts"
import { schedulesContracts } from "./automation/schedules/index.ts"
import { automationsContracts } from "./automation/automations/index.ts"
import { workflowsContracts } from "./automation/workflows/index.ts"
import { campaignsContracts } from "./campaigns/index.ts"
import { crmContracts } from "./crm/index.ts"
import { chatContracts } from "./messaging/chat/index.ts"
import { inboxContracts } from "./messaging/inbox/index.ts"
import { commerceContracts } from "./commerce/index.ts"
import { pluginsContracts } from "./integrations/plugins/index.ts"
import { webhooksContracts } from "./integrations/webhooks/index.ts"
import { deliveriesContracts } from "./platform/deliveries/index.ts"
import { operationsContracts } from "./platform/operations/index.ts"

export type { ContractOptions, Overlap } from "./contract.ts"
export { holdsRendered } from "./rendered.ts"
export * from "./kernel/index.ts"
export * from "./platform/identity/index.ts"
export * from "./platform/background/index.ts"
export * from "./platform/mail/index.ts"
export * from "./platform/entitlements/index.ts"
export * from "./platform/audit/index.ts"
export * from "./platform/events/index.ts"
export * from "./platform/docs-handoff/index.ts"
export * from "./platform/jobs/index.ts"
export * from "./platform/files/index.ts"
export * from "./analytics/index.ts"
export * from "./automation/schedules/index.ts"
export * from "./automation/automations/index.ts"
export * from "./automation/workflows/index.ts"
export * from "./campaigns/index.ts"
export * from "./crm/index.ts"
export * from "./messaging/chat/index.ts"
export * from "./messaging/inbox/index.ts"
export * from "./commerce/index.ts"
export * from "./integrations/plugins/index.ts"
export * from "./integrations/webhooks/index.ts"
export * from "./platform/deliveries/index.ts"
export * from "./platform/operations/index.ts"

/** Runs all storage contracts against one adapter that starts once. The store does not need to be empty. */
export const allStorageContracts = runContracts([
  ...kernelContracts,
  ...identityContracts,
  ...backgroundContracts,
  ...mailContracts,
  ...entitlementsContracts,
  ...auditContracts,
  ...eventsContracts,
  ...docsHandoffContracts,
  ...jobsContracts,
  ...filesContracts,
  ...analyticsContracts,
  ...schedulesContracts,
  ...automationsContracts,
  ...workflowsContracts,
  ...campaignsContracts,
  ...crmContracts,
  ...chatContracts,
  ...inboxContracts,
  ...commerceContracts,
  ...pluginsContracts,
  ...webhooksContracts,
  ...deliveriesContracts,
  ...operationsContracts
])

/** Every security contract against one adapter. */
export const allSecurityContracts = runContracts([...kernelSecurityContracts, ...identitySecurityContracts])
