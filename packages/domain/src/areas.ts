import { analyticsArea } from "./analytics/manifest.ts"
import { auditArea } from "./audit/manifest.ts"
import { automationArea } from "./automation/manifest.ts"
import { campaignsArea } from "./campaigns/manifest.ts"
import { chatArea } from "./chat/manifest.ts"
import { crmArea } from "./crm/manifest.ts"
import { deliveriesArea } from "./deliveries/manifest.ts"
import { docsHandoffArea } from "./docs-handoff/manifest.ts"
import { entitlementsArea } from "./entitlements/manifest.ts"
import { eventsArea } from "./events/manifest.ts"
import { filesArea } from "./files/manifest.ts"
import { identityArea } from "./identity/manifest.ts"
import { inboxArea } from "./inbox/manifest.ts"
import { jobsArea } from "./jobs/manifest.ts"
import { mailArea } from "./mail/manifest.ts"
import { operationsArea } from "./operations/manifest.ts"
import { pluginsArea } from "./plugins/manifest.ts"
import { schedulesArea } from "./schedules/manifest.ts"
import { storesArea } from "./stores/manifest.ts"
import { webhooksArea } from "./webhooks/manifest.ts"
import { workArea } from "./work/manifest.ts"
import { workflowsArea } from "./workflows/manifest.ts"

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
