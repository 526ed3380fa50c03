import { Layer } from "effect"
import { layerAnalytics } from "./analytics.ts"
import { layerAccount, layerIdentity, layerSessions, layerTokens } from "./auth.ts"
import { layerAutomations, layerSchedules } from "./automations.ts"
import { layerBroadcasts } from "./broadcasts.ts"
import { layerChatAccounts, layerChatWebhooks, layerMessageTemplates } from "./chatAccounts.ts"
import { layerCommerce, layerPrivacyRequests } from "./commerce.ts"
import { layerContactTransfer } from "./contactTransfer.ts"
import { layerContactFields, layerContacts, layerSegments, layerTags } from "./contacts.ts"
import { layerCannedReplies, layerConversations, layerMessages, layerNotes } from "./conversations.ts"
import { layerAudit, layerEvents } from "./events.ts"
import { layerMedia } from "./media.ts"
import { layerDocs, layerJobs, layerOperations } from "./operations.ts"
import { layerMembers, layerOrganization } from "./organization.ts"
import { layerPluginCalls, layerPlugins } from "./plugins.ts"
import { layerStoreConnections, layerStoreWebhooks } from "./storeConnections.ts"
import { layerWebhookSubscriptions } from "./webhookSubscriptions.ts"
import { layerWorkflows } from "./workflows.ts"

/** Handlers of all endpoints of the contract. */
export const layerHandlers = Layer.mergeAll(
  layerSessions,
  layerAccount,
  layerIdentity,
  layerTokens,
  layerOrganization,
  layerMembers,
  layerContacts,
  layerContactTransfer,
  layerTags,
  layerContactFields,
  layerSegments,
  layerChatAccounts,
  layerMessageTemplates,
  layerConversations,
  layerMessages,
  layerNotes,
  layerCannedReplies,
  layerMedia,
  layerBroadcasts,
  layerStoreConnections,
  layerPrivacyRequests,
  layerCommerce,
  layerAnalytics,
  layerSchedules,
  layerAutomations,
  layerWorkflows,
  layerJobs,
  layerEvents,
  layerAudit,
  layerDocs,
  layerChatWebhooks,
  layerStoreWebhooks,
  layerWebhookSubscriptions,
  layerPlugins,
  layerPluginCalls,
  layerOperations
)
