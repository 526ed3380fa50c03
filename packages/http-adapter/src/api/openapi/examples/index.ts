import type { HttpApi } from "effect/http-api"
import type { Api } from "../../Api.ts"
import { account, identity, sessions, tokens } from "./auth.ts"
import { analytics } from "./analytics.ts"
import { automations } from "./automations.ts"
import { schedules } from "./schedules.ts"
import { broadcasts, broadcastSettings } from "./broadcasts.ts"
import { cannedReplies } from "./cannedReplies.ts"
import { chatAccounts } from "./chatAccounts.ts"
import { chatWebhooks } from "./chatWebhooks.ts"
import { commerce, privacyRequests, storeCallbacks, storeConnections } from "./stores.ts"
import { contactFields } from "./contactFields.ts"
import { contacts } from "./contacts.ts"
import { contactTransfer } from "./contactTransfer.ts"
import { conversations } from "./conversations.ts"
import { docs } from "./docs.ts"
import type { ExamplesOf } from "./Example.ts"
import { jobs } from "./jobs.ts"
import { media } from "./media.ts"
import { messages } from "./messages.ts"
import { messageTemplates } from "./messageTemplates.ts"
import { notes } from "./notes.ts"
import { operations } from "./operations.ts"
import { members, organization } from "./organization.ts"
import { pluginCalls } from "./pluginCalls.ts"
import { plugins } from "./plugins.ts"
import { segments } from "./segments.ts"
import { storeWebhooks } from "./storeWebhooks.ts"
import { tags } from "./tags.ts"
import { audit, events } from "./trail.ts"
import { webhookSubscriptions } from "./webhookSubscriptions.ts"
import { workflows } from "./workflows.ts"

type Groups = typeof Api extends HttpApi.HttpApi<string, infer All> ? All : never

/** The whole contract by example: leaving an area out does not compile. */
export const examples: { readonly [Group in Groups as Group["identifier"]]: ExamplesOf<Group> } = {
  account,
  analytics,
  audit,
  schedules,
  automations,
  broadcasts,
  broadcastSettings,
  cannedReplies,
  chatAccounts,
  chatWebhooks,
  storeWebhooks,
  commerce,
  contactFields,
  contacts,
  contactTransfer,
  conversations,
  docs,
  events,
  identity,
  jobs,
  media,
  members,
  messages,
  messageTemplates,
  notes,
  operations,
  privacyRequests,
  organization,
  pluginCalls,
  plugins,
  segments,
  sessions,
  storeCallbacks,
  storeConnections,
  tags,
  tokens,
  webhookSubscriptions,
  workflows
}

export { problems } from "./problems.ts"
export { requestId } from "./samples.ts"
