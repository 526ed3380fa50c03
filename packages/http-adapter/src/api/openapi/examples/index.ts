import type { HttpApi } from "effect/http-api"
import type { Api } from "../../Api.ts"
import type { ExamplesOf } from "./Example.ts"
import { analytics } from "./analytics.ts"
import { account, identity, sessions, tokens } from "./auth.ts"
import { automations, schedules } from "./automations.ts"
import { broadcasts, broadcastSettings } from "./broadcasts.ts"
import { chatAccounts } from "./chatAccounts.ts"
import { contactFields } from "./contactFields.ts"
import { segments, tags } from "./contactGroups.ts"
import { contactTransfer } from "./contactTransfer.ts"
import { contacts } from "./contacts.ts"
import { conversations } from "./conversations.ts"
import { audit, events } from "./events.ts"
import { messageTemplates } from "./messageTemplates.ts"
import { cannedReplies, media, messages, notes } from "./messages.ts"
import { docs, jobs, operations } from "./operations.ts"
import { members, organization } from "./organization.ts"
import { pluginCalls, plugins } from "./plugins.ts"
import { commerce, privacyRequests, storeCallbacks, storeConnections } from "./stores.ts"
import { chatWebhooks, storeWebhooks, webhookSubscriptions } from "./webhooks.ts"
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
