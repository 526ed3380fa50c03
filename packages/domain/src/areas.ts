import { analyticsArea } from "./analytics/manifest.ts"
import { auditArea } from "./platform/audit/manifest.ts"
import { automationArea } from "./automation/automations/manifest.ts"
import { campaignsArea } from "./campaigns/manifest.ts"
import { chatArea } from "./messaging/chat/manifest.ts"
import { crmArea } from "./crm/manifest.ts"
import { deliveriesArea } from "./platform/deliveries/manifest.ts"
import { docsHandoffArea } from "./platform/docs-handoff/manifest.ts"
import { entitlementsArea } from "./platform/entitlements/manifest.ts"
import { eventsArea } from "./platform/events/manifest.ts"
import { filesArea } from "./platform/files/manifest.ts"
import { identityArea } from "./platform/identity/manifest.ts"
import { inboxArea } from "./messaging/inbox/manifest.ts"
import { jobsArea } from "./platform/jobs/manifest.ts"
import { mailArea } from "./platform/mail/manifest.ts"
import { operationsArea } from "./platform/operations/manifest.ts"
import { pluginsArea } from "./integrations/plugins/manifest.ts"
import { schedulesArea } from "./automation/schedules/manifest.ts"
import { storesArea } from "./commerce/manifest.ts"
import { webhooksArea } from "./integrations/webhooks/manifest.ts"
import { workArea } from "./platform/background/manifest.ts"
import { workflowsArea } from "./automation/workflows/manifest.ts"

/** The areas there are, from the bottom to the top. Whatever is said of all of them is put together from here. */
export const areas = [
  workArea,
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

/** What any area says of itself. */
export type Area = (typeof areas)[number]

type List =
  | "accountSenders"
  | "assignmentHolds"
  | "assignments"
  | "contactFilterFields"
  | "contactHoldings"
  | "credentials"
  | "deliverySources"
  | "eventResources"
  | "jobs"
  | "limitUses"
  | "orderHoldings"
  | "outsideMessages"
  | "permissions"
  | "pluginCallEnds"
  | "pluginUses"
  | "reactions"
  | "requesters"
  | "scheduleUses"
  | "sealedValues"
  | "subscriptionUses"
  | "workflowStarts"
  | "works"

/** What all areas have of something: those above first, since they name what is below. */
export const ofAllAreas = <Part extends List>(part: Part): ReadonlyArray<Area[Part][number]> =>
  areas.toReversed().flatMap((area): ReadonlyArray<Area[Part][number]> => area[part])
