import { analyticsArea } from "./analytics/module.ts"
import { automationArea } from "./automation/automations/module.ts"
import { schedulesArea } from "./automation/schedules/module.ts"
import { workflowsArea } from "./automation/workflows/module.ts"
import { campaignsArea } from "./campaigns/module.ts"
import { storesArea } from "./commerce/module.ts"
import { crmArea } from "./crm/module.ts"
import { pluginsArea } from "./integrations/plugins/module.ts"
import { webhooksArea } from "./integrations/webhooks/module.ts"
import { chatArea } from "./messaging/chat/module.ts"
import { inboxArea } from "./messaging/inbox/module.ts"
import { auditArea } from "./platform/audit/module.ts"
import { backgroundArea } from "./platform/background/module.ts"
import { deliveriesArea } from "./platform/deliveries/module.ts"
import { docsHandoffArea } from "./platform/docs-handoff/module.ts"
import { entitlementsArea } from "./platform/entitlements/module.ts"
import { eventsArea } from "./platform/events/module.ts"
import { filesArea } from "./platform/files/module.ts"
import { identityArea } from "./platform/identity/module.ts"
import { jobsArea } from "./platform/jobs/module.ts"
import { mailArea } from "./platform/mail/module.ts"
import { operationsArea } from "./platform/operations/module.ts"

/** All areas, lowest first. All lists over areas are derived from it. */
export const areas = [
  backgroundArea,
  auditArea,
  entitlementsArea,
  filesArea,
  mailArea,
  jobsArea,
  identityArea,
  docsHandoffArea,
  eventsArea,
  deliveriesArea,
  crmArea,
  chatArea,
  inboxArea,
  campaignsArea,
  storesArea,
  analyticsArea,
  webhooksArea,
  pluginsArea,
  schedulesArea,
  automationArea,
  workflowsArea,
  operationsArea
] as const

export type Area = (typeof areas)[number]

type ContributionName =
  | "contactFilterFields"
  | "contactDataOwners"
  | "credentials"
  | "deliverySources"
  | "dependents"
  | "eventResources"
  | "jobs"
  | "limitUses"
  | "permissions"
  | "actionCallEnds"
  | "eventConsumers"
  | "requesters"
  | "sealedValues"
  | "backgroundTasks"

/** Returns the contributions of all areas to one part. Upper areas come first, because they refer to lower ones. */
export const contributionsOf = <Part extends ContributionName>(part: Part): ReadonlyArray<Area[Part][number]> =>
  areas.toReversed().flatMap((area): ReadonlyArray<Area[Part][number]> => area[part])
