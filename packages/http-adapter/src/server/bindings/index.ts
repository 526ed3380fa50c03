import { Layer } from "effect"
import type { HttpApi } from "effect/http-api"
import type { Api } from "../../api/Api.ts"
import { analytics } from "./analytics/analytics.ts"
import { automationTriggers } from "./automation/automationTriggers.ts"
import { automations } from "./automation/automations.ts"
import { schedules } from "./automation/schedules.ts"
import { workflows } from "./automation/workflows.ts"
import { broadcastSettings } from "./campaigns/broadcastSettings.ts"
import { broadcasts } from "./campaigns/broadcasts.ts"
import { commerce } from "./commerce/commerce.ts"
import { privacyRequests } from "./commerce/privacyRequests.ts"
import { storeCallbacks } from "./commerce/storeCallbacks.ts"
import { storeConnections } from "./commerce/storeConnections.ts"
import { storeWebhooks } from "./commerce/storeWebhooks.ts"
import { contactFields } from "./crm/contactFields.ts"
import { contactTransfer } from "./crm/contactTransfer.ts"
import { contacts } from "./crm/contacts.ts"
import { segments } from "./crm/segments.ts"
import { tags } from "./crm/tags.ts"
import { pluginCalls } from "./integrations/pluginCalls.ts"
import { plugins } from "./integrations/plugins.ts"
import { webhookSubscriptions } from "./integrations/webhookSubscriptions.ts"
import { cannedReplies } from "./messaging/cannedReplies.ts"
import { chatAccounts } from "./messaging/chatAccounts.ts"
import { chatWebhooks } from "./messaging/chatWebhooks.ts"
import { conversations } from "./messaging/conversations.ts"
import { media } from "./messaging/media.ts"
import { messageTemplates } from "./messaging/messageTemplates.ts"
import { messages } from "./messaging/messages.ts"
import { notes } from "./messaging/notes.ts"
import { operatorRateCards } from "./messaging/operatorRateCards.ts"
import { account } from "./platform/account.ts"
import { audit } from "./platform/audit.ts"
import { docs } from "./platform/docs.ts"
import { events } from "./platform/events.ts"
import { identity } from "./platform/identity.ts"
import { jobs } from "./platform/jobs.ts"
import { members } from "./platform/members.ts"
import { operations } from "./platform/operations.ts"
import { operatorAudit } from "./platform/operatorAudit.ts"
import { organization } from "./platform/organization.ts"
import { sessions } from "./platform/sessions.ts"
import { tokens } from "./platform/tokens.ts"

type GroupName = typeof Api extends HttpApi.HttpApi<string, infer Groups> ? Groups["identifier"] : never

/** Bindings of all groups of the contract: leaving a group out does not compile. */
export const bindings = {
  analytics,
  sessions,
  account,
  identity,
  tokens,
  automations,
  automationTriggers,
  schedules,
  broadcasts,
  broadcastSettings,
  chatAccounts,
  contactFields,
  tags,
  segments,
  contactTransfer,
  contacts,
  conversations,
  audit,
  events,
  messageTemplates,
  messages,
  notes,
  cannedReplies,
  media,
  operations,
  operatorRateCards,
  operatorAudit,
  jobs,
  docs,
  organization,
  members,
  plugins,
  pluginCalls,
  storeConnections,
  storeCallbacks,
  commerce,
  privacyRequests,
  webhookSubscriptions,
  chatWebhooks,
  storeWebhooks,
  workflows
} satisfies Readonly<Record<GroupName, unknown>>

/** Handlers of all endpoints of the contract. */
export const layerHandlers = Layer.mergeAll(
  account.layer,
  analytics.layer,
  audit.layer,
  automations.layer,
  automationTriggers.layer,
  broadcastSettings.layer,
  broadcasts.layer,
  cannedReplies.layer,
  chatAccounts.layer,
  chatWebhooks.layer,
  commerce.layer,
  contactFields.layer,
  contactTransfer.layer,
  contacts.layer,
  conversations.layer,
  docs.layer,
  events.layer,
  identity.layer,
  jobs.layer,
  media.layer,
  members.layer,
  messageTemplates.layer,
  messages.layer,
  notes.layer,
  operations.layer,
  operatorAudit.layer,
  operatorRateCards.layer,
  organization.layer,
  pluginCalls.layer,
  plugins.layer,
  privacyRequests.layer,
  schedules.layer,
  segments.layer,
  sessions.layer,
  storeCallbacks.layer,
  storeConnections.layer,
  storeWebhooks.layer,
  tags.layer,
  tokens.layer,
  webhookSubscriptions.layer,
  workflows.layer
)

/** Handlers of the endpoints for operator tokens. */
export const layerOperatorHandlers = Layer.mergeAll(operatorAudit.layer, operatorRateCards.layer)
