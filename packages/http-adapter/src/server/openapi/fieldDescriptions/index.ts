import type { FieldDescriptions } from "./FieldDescriptions.ts"
import { actionsFields } from "./actions.ts"
import { analyticsFields } from "./analytics.ts"
import { automationFields } from "./automation.ts"
import { campaignsFields } from "./campaigns.ts"
import { chatFields } from "./chat.ts"
import { commerceFields } from "./commerce.ts"
import { crmFields } from "./crm.ts"
import { inboxFields } from "./inbox.ts"
import { integrationsFields } from "./integrations.ts"
import { messageContentsFields } from "./messageContents.ts"
import { messagesFields } from "./messages.ts"
import { platformFields } from "./platform.ts"
import { schedulesFields } from "./schedules.ts"
import { workflowsFields } from "./workflows.ts"

export { baseOf } from "./bases.ts"
export { commonFields, eventFields, pageFields, problemFields } from "./common.ts"

/** Descriptions by area. The contexts of the areas are distinct. */
export const fieldDescriptions: ReadonlyArray<FieldDescriptions> = [
  platformFields,
  crmFields,
  chatFields,
  inboxFields,
  messagesFields,
  messageContentsFields,
  integrationsFields,
  campaignsFields,
  commerceFields,
  analyticsFields,
  actionsFields,
  automationFields,
  schedulesFields,
  workflowsFields
]

/** Descriptions of fields by context. */
export const descriptionsByContext: FieldDescriptions = Object.assign({}, ...fieldDescriptions)
