import { HttpApi, OpenApi } from "effect/http-api"
import { AnalyticsApi } from "./analytics.ts"
import { AuditApi } from "./audit.ts"
import { AccountApi, IdentityApi, SessionsApi, TokensApi } from "./auth.ts"
import { AutomationsApi } from "./automations.ts"
import { SchedulesApi } from "./schedules.ts"
import { BroadcastsApi } from "./broadcasts.ts"
import { BroadcastSettingsApi } from "./broadcastSettings.ts"
import { CannedRepliesApi } from "./cannedReplies.ts"
import { ChatAccountsApi } from "./chatAccounts.ts"
import { ChatWebhooksApi } from "./chatWebhooks.ts"
import { CommerceApi } from "./commerce.ts"
import { ContactFieldsApi } from "./contactFields.ts"
import { ContactsApi } from "./contacts.ts"
import { ContactTransferApi } from "./contactTransfer.ts"
import { ConversationsApi } from "./conversations.ts"
import { DocsApi } from "./docs.ts"
import { EventsApi } from "./events.ts"
import { JobsApi } from "./jobs.ts"
import { MediaApi } from "./media.ts"
import { MessagesApi } from "./messages.ts"
import { MessageTemplatesApi } from "./messageTemplates.ts"
import { StorageFaults } from "./middleware.ts"
import { NotesApi } from "./notes.ts"
import { OperationsApi } from "./operations.ts"
import { MembersApi, OrganizationApi } from "./organization.ts"
import { SegmentsApi } from "./segments.ts"
import { PluginCallsApi } from "./pluginCalls.ts"
import { PluginsApi } from "./plugins.ts"
import { PrivacyRequestsApi } from "./privacyRequests.ts"
import { StoreCallbacksApi, StoreConnectionsApi } from "./storeConnections.ts"
import { StoreWebhooksApi } from "./storeWebhooks.ts"
import { TagsApi } from "./tags.ts"
import { WebhookSubscriptionsApi } from "./webhookSubscriptions.ts"
import { WorkflowsApi } from "./workflows.ts"

const strict = { errors: "all", onExcessProperty: "error" } as const

/** The whole contract: every endpoint, with what it takes, what it answers and how it fails. */
export class Api extends HttpApi.make("parley")
  .add(
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
    WorkflowsApi,
    JobsApi,
    EventsApi,
    AuditApi,
    DocsApi,
    ChatWebhooksApi,
    StoreWebhooksApi,
    OperationsApi
  )
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
        "One inbox for a team over its chat numbers, contacts and tags, broadcasts, analytics, stores and automations, for many organizations at once.",
      license: { name: "MIT", url: "https://opensource.org/license/mit" }
    })
  ) {}
