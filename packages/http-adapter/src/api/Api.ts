import { HttpApi, type HttpApiGroup, OpenApi } from "effect/http-api"
import { AnalyticsApi } from "./analytics.ts"
import { AccountApi, IdentityApi, SessionsApi, TokensApi } from "./auth.ts"
import { AutomationsApi, AutomationTriggersApi } from "./automations.ts"
import { BroadcastsApi, BroadcastSettingsApi } from "./broadcasts.ts"
import { ChatAccountsApi } from "./chatAccounts.ts"
import { ChatWebhooksApi } from "./chatWebhooks.ts"
import { CommerceApi, PrivacyRequestsApi } from "./commerce.ts"
import { ContactFieldsApi } from "./contactFields.ts"
import { SegmentsApi, TagsApi } from "./contactGroups.ts"
import { ContactTransferApi } from "./contactTransfer.ts"
import { ContactsApi } from "./contacts.ts"
import { ConversationsApi } from "./conversations.ts"
import { AuditApi, EventsApi } from "./events.ts"
import { MediaApi } from "./media.ts"
import { MessageTemplatesApi } from "./messageTemplates.ts"
import { CannedRepliesApi, MessagesApi, NotesApi } from "./messages.ts"
import { StorageFaults } from "./middleware.ts"
import { DocsApi, JobsApi, OperationsApi } from "./operations.ts"
import { OperatorAuditApi, OperatorRateCardsApi } from "./operator.ts"
import { MembersApi, OrganizationApi } from "./organization.ts"
import { PluginCallsApi, PluginsApi } from "./plugins.ts"
import { SchedulesApi } from "./schedules.ts"
import { StoreCallbacksApi, StoreConnectionsApi } from "./storeConnections.ts"
import { StoreWebhooksApi } from "./storeWebhooks.ts"
import { WebhookSubscriptionsApi } from "./webhookSubscriptions.ts"
import { WorkflowsApi } from "./workflows.ts"

const strict = { errors: "all", onExcessProperty: "error" } as const

const groups = [
  SessionsApi,
  AccountApi,
  IdentityApi,
  TokensApi,
  OrganizationApi,
  MembersApi,
  ContactsApi,
  ContactTransferApi,
  TagsApi,
  ContactFieldsApi,
  SegmentsApi,
  ChatAccountsApi,
  MessageTemplatesApi,
  ConversationsApi,
  MessagesApi,
  NotesApi,
  CannedRepliesApi,
  MediaApi,
  BroadcastsApi,
  BroadcastSettingsApi,
  StoreConnectionsApi,
  StoreCallbacksApi,
  CommerceApi,
  AnalyticsApi,
  PrivacyRequestsApi,
  WebhookSubscriptionsApi,
  PluginsApi,
  PluginCallsApi,
  SchedulesApi,
  AutomationsApi,
  AutomationTriggersApi,
  WorkflowsApi,
  JobsApi,
  EventsApi,
  AuditApi,
  DocsApi,
  ChatWebhooksApi,
  StoreWebhooksApi,
  OperationsApi,
  OperatorRateCardsApi,
  OperatorAuditApi
] as const

/** Named, because the compiler would write the whole contract into its declaration otherwise. */
type Groups = HttpApiGroup.AddMiddleware<(typeof groups)[number], StorageFaults>

const contract: HttpApi.HttpApi<"parley", Groups> = HttpApi.make("parley")
  .add(...groups)
  .middleware(StorageFaults)
  .annotate(HttpApi.PayloadParseOptions, strict)
  .annotate(HttpApi.QueryParseOptions, strict)
  .annotate(HttpApi.HeadersParseOptions, { errors: "all" })
  .annotateMerge(
    OpenApi.annotations({
      title: "Parley",
      version: "1.0.0",
      summary: "The administration API for customer messaging and commerce.",
      description:
        "One inbox for a team with its chat numbers, contacts and tags, broadcasts, analytics, stores and automations, for many organizations.",
      license: { name: "MIT", url: "https://opensource.org/license/mit" }
    })
  )

const operatorGroups = [OperatorRateCardsApi, OperatorAuditApi] as const

type OperatorGroups = HttpApiGroup.AddMiddleware<(typeof operatorGroups)[number], StorageFaults>

/** The part of the contract for operator tokens, for a listener of its own. It shares the handlers with the whole contract. */
export const operatorContract: HttpApi.HttpApi<"parley", OperatorGroups> = HttpApi.make("parley")
  .add(...operatorGroups)
  .middleware(StorageFaults)
  .annotate(HttpApi.PayloadParseOptions, strict)
  .annotate(HttpApi.QueryParseOptions, strict)
  .annotate(HttpApi.HeadersParseOptions, { errors: "all" })

/** The whole contract: every endpoint with its input, its answers and its errors. */
export class Api extends contract {}
