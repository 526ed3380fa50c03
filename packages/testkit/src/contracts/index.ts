import { rollupStore } from "./analytics/rollupStore.ts"
import { analyticsFigures } from "./analytics/analyticsFigures.ts"
import { analyticsLoad } from "./analytics/analyticsLoad.ts"
import { analyticsRecords } from "./analytics/analyticsRecords.ts"
import { startedBroadcasts } from "./analytics/startedBroadcasts.ts"
import { auditLog } from "./platform/audit/auditLog.ts"
import { automationClocks } from "./automation/automations/automationClocks.ts"
import { httpCalls } from "./automation/automations/httpCalls.ts"
import { triggerCalls } from "./automation/automations/triggerCalls.ts"
import { triggerTimers } from "./automation/automations/triggerTimers.ts"
import { triggerUrls } from "./automation/automations/triggerUrls.ts"
import { automationRuns } from "./automation/automations/automationRuns.ts"
import { actionEffects } from "./automation/automations/actionEffects.ts"
import { automations } from "./automation/automations/automations.ts"
import { storedAutomationSettings } from "./automation/automations/storedAutomationSettings.ts"
import { audiences } from "./campaigns/audiences.ts"
import { broadcastConditions } from "./campaigns/broadcastConditions.ts"
import { broadcasts } from "./campaigns/broadcasts.ts"
import { buttonTaps } from "./campaigns/buttonTaps.ts"
import { broadcastReports, expiredRecipients } from "./campaigns/expiredRecipients.ts"
import { nextClaims } from "./campaigns/nextClaims.ts"
import { recipientLedger } from "./campaigns/recipientLedger.ts"
import { contactRecipients } from "./campaigns/contactRecipients.ts"
import { recipientList } from "./campaigns/recipientList.ts"
import { recipientReceipts } from "./campaigns/recipientReceipts.ts"
import { recipientReplies } from "./campaigns/recipientReplies.ts"
import { recipientReservations } from "./campaigns/recipientReservations.ts"
import { storedBroadcastSettings } from "./campaigns/storedBroadcastSettings.ts"
import { chatAccounts } from "./messaging/chat/chatAccounts.ts"
import { dailyRecipients } from "./messaging/chat/dailyRecipients.ts"
import { rateCards } from "./messaging/chat/rateCards.ts"
import { messageTemplates } from "./messaging/chat/messageTemplates.ts"
import { runContracts } from "./contract.ts"
import { contactFields } from "./crm/contactFields.ts"
import { contactHistory } from "./crm/contactHistory.ts"
import { contactIdentities } from "./crm/contactIdentities.ts"
import { contactImports } from "./crm/contactImports.ts"
import { contactLists } from "./crm/contactLists.ts"
import { renderedContacts } from "./crm/renderedContacts.ts"
import { contacts } from "./crm/contacts.ts"
import { contactTags } from "./crm/contactTags.ts"
import { contactWords } from "./crm/contactWords.ts"
import { duplicates } from "./crm/duplicates.ts"
import { segments } from "./crm/segments.ts"
import { suppressions } from "./crm/suppressions.ts"
import { tags } from "./crm/tags.ts"
import { inboundDeliveries } from "./platform/deliveries/inboundDeliveries.ts"
import { inboundDeliveryQueue } from "./platform/deliveries/inboundDeliveryQueue.ts"
import { docsCodes } from "./platform/docs-handoff/docsCodes.ts"
import { plans } from "./platform/entitlements/plans.ts"
import { eventLog } from "./platform/events/eventLog.ts"
import { eventListeners } from "./platform/events/eventListeners.ts"
import { eventCursors } from "./platform/events/eventCursors.ts"
import { files } from "./platform/files/files.ts"
import { accounts } from "./platform/identity/accounts.ts"
import { automationTokens } from "./platform/identity/automationTokens.ts"
import { availabilities } from "./platform/identity/availabilities.ts"
import { knownAddresses } from "./platform/identity/knownAddresses.ts"
import { members } from "./platform/identity/members.ts"
import { operatorTokens } from "./platform/identity/operatorTokens.ts"
import { organizationDirectory, organizations } from "./platform/identity/organizations.ts"
import { passwordPolicy } from "./platform/identity/passwordPolicy.ts"
import { passwordHasher } from "./platform/identity/passwordHasher.ts"
import { passwordResets } from "./platform/identity/passwordResets.ts"
import { sessions } from "./platform/identity/sessions.ts"
import { signingKeys } from "./platform/identity/signingKeys.ts"
import { tokenSigner } from "./platform/identity/tokenSigner.ts"
import { users } from "./platform/identity/users.ts"
import { cannedReplies } from "./messaging/inbox/cannedReplies.ts"
import { assignedConversations } from "./messaging/inbox/assignedConversations.ts"
import { assignmentQueue } from "./messaging/inbox/assignmentQueue.ts"
import { contactConditions } from "./messaging/inbox/contactConditions.ts"
import { contactConversations } from "./messaging/inbox/contactConversations.ts"
import { contactCorrespondence } from "./messaging/inbox/contactCorrespondence.ts"
import { contactJoins } from "./messaging/inbox/contactJoins.ts"
import { conversationLists } from "./messaging/inbox/conversationLists.ts"
import { conversations } from "./messaging/inbox/conversations.ts"
import { writtenConversations } from "./messaging/inbox/writtenConversations.ts"
import { mediaLibrary } from "./messaging/inbox/mediaLibrary.ts"
import { messageCharges } from "./messaging/inbox/messageCharges.ts"
import { messages } from "./messaging/inbox/messages.ts"
import { renderedMessages } from "./messaging/inbox/renderedMessages.ts"
import { notes } from "./messaging/inbox/notes.ts"
import { oneTimeCodes } from "./messaging/inbox/oneTimeCodes.ts"
import { sendQueue } from "./messaging/inbox/sendQueue.ts"
import { sendSets } from "./messaging/inbox/sendSets.ts"
import { workloads } from "./messaging/inbox/workloads.ts"
import { waits } from "./messaging/inbox/waits.ts"
import { jobQueue } from "./platform/jobs/jobQueue.ts"
import { jobs } from "./platform/jobs/jobs.ts"
import { backlog } from "./platform/operations/backlog.ts"
import { workerDirectory } from "./platform/operations/workerDirectory.ts"
import { cursors } from "./kernel/cursors.ts"
import { idempotencyKeys } from "./kernel/idempotencyKeys.ts"
import { ids } from "./kernel/ids.ts"
import { locks } from "./kernel/locks.ts"
import { rateLimits } from "./kernel/rateLimits.ts"
import { unitOfWork } from "./kernel/unitOfWork.ts"
import { vault } from "./kernel/vault.ts"
import { emailQueue } from "./platform/mail/emailQueue.ts"
import { broadcastBuyers } from "./commerce/broadcastBuyers.ts"
import { cartClock } from "./commerce/cartClock.ts"
import { contactCommerceRecords } from "./commerce/contactCommerceRecords.ts"
import { purchaseConditions } from "./commerce/purchaseConditions.ts"
import { awayReplies } from "./automation/schedules/awayReplies.ts"
import { weeklySchedules } from "./automation/schedules/weeklySchedules.ts"
import { contactWorkflowRuns } from "./automation/workflows/contactWorkflowRuns.ts"
import { workflowHolds } from "./automation/workflows/workflowHolds.ts"
import { workflowRuns } from "./automation/workflows/workflowRuns.ts"
import { workflows } from "./automation/workflows/workflows.ts"
import { skippedRecords } from "./commerce/skippedRecords.ts"
import { storeConnections } from "./commerce/storeConnections.ts"
import { privacyRequests } from "./commerce/privacyRequests.ts"
import { staleRecords } from "./commerce/staleRecords.ts"
import { storeRecords } from "./commerce/storeRecords.ts"
import { syncSeenRecords } from "./commerce/syncSeenRecords.ts"
import { pluginCalls } from "./integrations/plugins/pluginCalls.ts"
import { lifecycleCalls, pluginCatalogue, plugins } from "./integrations/plugins/plugins.ts"
import { webhookDeliveries } from "./integrations/webhooks/webhookDeliveries.ts"
import { webhookSubscriptions } from "./integrations/webhooks/webhookSubscriptions.ts"
import { lanes } from "./platform/background/lanes.ts"
import { organizationIds } from "./platform/background/organizationIds.ts"
import { shards } from "./platform/background/shards.ts"

export type { ContractOptions, Overlap } from "./contract.ts"
export { rollupStoreContract } from "./analytics/rollupStore.ts"
export { analyticsFiguresContract } from "./analytics/analyticsFigures.ts"
export { analyticsLoadContract } from "./analytics/analyticsLoad.ts"
export { analyticsRecordsContract } from "./analytics/analyticsRecords.ts"
export { startedBroadcastsContract } from "./analytics/startedBroadcasts.ts"
export { auditLogContract } from "./platform/audit/auditLog.ts"
export { awayRepliesContract } from "./automation/schedules/awayReplies.ts"
export { weeklySchedulesContract } from "./automation/schedules/weeklySchedules.ts"
export { automationClocksContract } from "./automation/automations/automationClocks.ts"
export { triggerCallsContract } from "./automation/automations/triggerCalls.ts"
export { triggerTimersContract } from "./automation/automations/triggerTimers.ts"
export { triggerUrlsContract } from "./automation/automations/triggerUrls.ts"
export { automationRunsContract } from "./automation/automations/automationRuns.ts"
export { contactWorkflowRunsContract } from "./automation/workflows/contactWorkflowRuns.ts"
export { workflowHoldsContract } from "./automation/workflows/workflowHolds.ts"
export { workflowRunsContract } from "./automation/workflows/workflowRuns.ts"
export { workflowsContract } from "./automation/workflows/workflows.ts"
export { actionEffectsContract } from "./automation/automations/actionEffects.ts"
export { performedActionsContract } from "./automation/automations/performedActions.ts"
export { automationsContract } from "./automation/automations/automations.ts"
export { storedAutomationSettingsContract } from "./automation/automations/storedAutomationSettings.ts"
export { audiencesContract } from "./campaigns/audiences.ts"
export { broadcastConditionsContract } from "./campaigns/broadcastConditions.ts"
export { broadcastsContract } from "./campaigns/broadcasts.ts"
export { buttonTapsContract } from "./campaigns/buttonTaps.ts"
export { broadcastReportsContract, expiredRecipientsContract } from "./campaigns/expiredRecipients.ts"
export { newBroadcast } from "./campaigns/given.ts"
export { nextClaimsContract } from "./campaigns/nextClaims.ts"
export { recipientLedgerContract } from "./campaigns/recipientLedger.ts"
export { contactRecipientsContract } from "./campaigns/contactRecipients.ts"
export { recipientListContract } from "./campaigns/recipientList.ts"
export { recipientReceiptsContract } from "./campaigns/recipientReceipts.ts"
export { recipientRepliesContract } from "./campaigns/recipientReplies.ts"
export { recipientReservationsContract } from "./campaigns/recipientReservations.ts"
export { storedBroadcastSettingsContract } from "./campaigns/storedBroadcastSettings.ts"
export { contactFieldsContract } from "./crm/contactFields.ts"
export { contactHistoryContract } from "./crm/contactHistory.ts"
export { contactIdentitiesContract } from "./crm/contactIdentities.ts"
export { contactImportsContract } from "./crm/contactImports.ts"
export { contactListsContract } from "./crm/contactLists.ts"
export { renderedContactsContract } from "./crm/renderedContacts.ts"
export { holdsRendered } from "./rendered.ts"
export { contactsContract } from "./crm/contacts.ts"
export { contactTagsContract } from "./crm/contactTags.ts"
export { contactWordsContract } from "./crm/contactWords.ts"
export { duplicatesContract } from "./crm/duplicates.ts"
export { segmentsContract } from "./crm/segments.ts"
export { suppressionsContract } from "./crm/suppressions.ts"
export { tagsContract } from "./crm/tags.ts"
export { chatAccountsContract } from "./messaging/chat/chatAccounts.ts"
export { dailyRecipientsContract } from "./messaging/chat/dailyRecipients.ts"
export { deliveryReadingContract } from "./messaging/chat/deliveryReading.ts"
export { mediaTransferContract } from "./messaging/chat/mediaTransfer.ts"
export { messageSendingContract } from "./messaging/chat/messageSending.ts"
export { rateCardsContract } from "./messaging/chat/rateCards.ts"
export { messageTemplatesContract } from "./messaging/chat/messageTemplates.ts"
export { numberCheckingContract } from "./messaging/chat/numberChecking.ts"
export { numberSignupContract } from "./messaging/chat/numberSignup.ts"
export * from "./messaging/chat/sides.ts"
export { templateApprovalContract } from "./messaging/chat/templateApproval.ts"
export { storePlatformContract } from "./commerce/storePlatform.ts"
export { StoreSide } from "./commerce/StoreSide.ts"
export { inboundDeliveriesContract } from "./platform/deliveries/inboundDeliveries.ts"
export { inboundDeliveryQueueContract } from "./platform/deliveries/inboundDeliveryQueue.ts"
export { docsCodesContract } from "./platform/docs-handoff/docsCodes.ts"
export { plansContract } from "./platform/entitlements/plans.ts"
export { eventLogContract } from "./platform/events/eventLog.ts"
export { eventListenersContract } from "./platform/events/eventListeners.ts"
export { eventCursorsContract } from "./platform/events/eventCursors.ts"
export { filesContract } from "./platform/files/files.ts"
export { accountsContract } from "./platform/identity/accounts.ts"
export { automationTokensContract } from "./platform/identity/automationTokens.ts"
export { membersContract } from "./platform/identity/members.ts"
export { operatorTokensContract } from "./platform/identity/operatorTokens.ts"
export { organizationDirectoryContract, organizationsContract } from "./platform/identity/organizations.ts"
export { passwordPolicyContract } from "./platform/identity/passwordPolicy.ts"
export { passwordHasherContract } from "./platform/identity/passwordHasher.ts"
export { passwordResetsContract } from "./platform/identity/passwordResets.ts"
export { availabilitiesContract } from "./platform/identity/availabilities.ts"
export { knownAddressesContract } from "./platform/identity/knownAddresses.ts"
export { sessionsContract } from "./platform/identity/sessions.ts"
export { signingKeysContract } from "./platform/identity/signingKeys.ts"
export { tokenSignerContract } from "./platform/identity/tokenSigner.ts"
export { usersContract } from "./platform/identity/users.ts"
export { cannedRepliesContract } from "./messaging/inbox/cannedReplies.ts"
export { assignedConversationsContract } from "./messaging/inbox/assignedConversations.ts"
export { assignmentQueueContract } from "./messaging/inbox/assignmentQueue.ts"
export { contactConditionsContract } from "./messaging/inbox/contactConditions.ts"
export { contactConversationsContract } from "./messaging/inbox/contactConversations.ts"
export { contactCorrespondenceContract } from "./messaging/inbox/contactCorrespondence.ts"
export { contactJoinsContract } from "./messaging/inbox/contactJoins.ts"
export { conversationListsContract } from "./messaging/inbox/conversationLists.ts"
export { conversationsContract } from "./messaging/inbox/conversations.ts"
export { writtenConversationsContract } from "./messaging/inbox/writtenConversations.ts"
export { mediaLibraryContract } from "./messaging/inbox/mediaLibrary.ts"
export { messageChargesContract } from "./messaging/inbox/messageCharges.ts"
export { messagesContract } from "./messaging/inbox/messages.ts"
export { renderedMessagesContract } from "./messaging/inbox/renderedMessages.ts"
export { notesContract } from "./messaging/inbox/notes.ts"
export { oneTimeCodesContract } from "./messaging/inbox/oneTimeCodes.ts"
export { sendQueueContract } from "./messaging/inbox/sendQueue.ts"
export { sendSetsContract } from "./messaging/inbox/sendSets.ts"
export { workloadsContract } from "./messaging/inbox/workloads.ts"
export { waitsContract } from "./messaging/inbox/waits.ts"
export { jobQueueContract } from "./platform/jobs/jobQueue.ts"
export { jobsContract } from "./platform/jobs/jobs.ts"
export { backlogContract } from "./platform/operations/backlog.ts"
export { workerDirectoryContract } from "./platform/operations/workerDirectory.ts"
export { cursorsContract } from "./kernel/cursors.ts"
export { idempotencyKeysContract } from "./kernel/idempotencyKeys.ts"
export { idsContract } from "./kernel/ids.ts"
export { locksContract } from "./kernel/locks.ts"
export { rateLimitsContract } from "./kernel/rateLimits.ts"
export { unitOfWorkContract } from "./kernel/unitOfWork.ts"
export { vaultContract } from "./kernel/vault.ts"
export { mailerContract, MailServerSide } from "./platform/mail/mailer.ts"
export { emailQueueContract } from "./platform/mail/emailQueue.ts"
export { broadcastBuyersContract } from "./commerce/broadcastBuyers.ts"
export { cartClockContract } from "./commerce/cartClock.ts"
export { contactCommerceRecordsContract } from "./commerce/contactCommerceRecords.ts"
export { purchaseConditionsContract } from "./commerce/purchaseConditions.ts"
export { skippedRecordsContract } from "./commerce/skippedRecords.ts"
export { storeConnectionsContract } from "./commerce/storeConnections.ts"
export { privacyRequestsContract } from "./commerce/privacyRequests.ts"
export { staleRecordsContract } from "./commerce/staleRecords.ts"
export { storeRecordsContract } from "./commerce/storeRecords.ts"
export { syncSeenRecordsContract } from "./commerce/syncSeenRecords.ts"
export { lanesContract } from "./platform/background/lanes.ts"
export { organizationIdsContract } from "./platform/background/organizationIds.ts"
export { shardsContract } from "./platform/background/shards.ts"

/** Runs all storage contracts against one adapter that starts once. The store does not need to be empty. */
export const allStorageContracts = runContracts([
  signingKeys,
  unitOfWork,
  locks,
  shards,
  lanes,
  organizationIds,
  idempotencyKeys,
  rateLimits,
  organizationDirectory,
  organizations,
  users,
  members,
  operatorTokens,
  availabilities,
  knownAddresses,
  sessions,
  passwordResets,
  emailQueue,
  accounts,
  automationTokens,
  plans,
  rollupStore,
  analyticsFigures,
  analyticsLoad,
  analyticsRecords,
  startedBroadcasts,
  auditLog,
  eventLog,
  eventListeners,
  eventCursors,
  docsCodes,
  awayReplies,
  weeklySchedules,
  automationClocks,
  httpCalls,
  triggerCalls,
  triggerTimers,
  triggerUrls,
  automationRuns,
  contactWorkflowRuns,
  workflowHolds,
  workflowRuns,
  workflows,
  actionEffects,
  automations,
  storedAutomationSettings,
  audiences,
  broadcastConditions,
  broadcastReports,
  broadcasts,
  buttonTaps,
  expiredRecipients,
  nextClaims,
  recipientLedger,
  contactRecipients,
  recipientList,
  recipientReceipts,
  recipientReplies,
  recipientReservations,
  storedBroadcastSettings,
  jobs,
  jobQueue,
  files,
  tags,
  contactFields,
  segments,
  contacts,
  contactIdentities,
  contactTags,
  contactLists,
  renderedContacts,
  contactWords,
  contactHistory,
  contactImports,
  suppressions,
  duplicates,
  chatAccounts,
  dailyRecipients,
  messageTemplates,
  rateCards,
  cannedReplies,
  assignedConversations,
  assignmentQueue,
  contactConditions,
  contactConversations,
  contactCorrespondence,
  contactJoins,
  conversationLists,
  conversations,
  writtenConversations,
  mediaLibrary,
  messageCharges,
  messages,
  renderedMessages,
  notes,
  oneTimeCodes,
  sendQueue,
  sendSets,
  waits,
  workloads,
  skippedRecords,
  storeConnections,
  broadcastBuyers,
  cartClock,
  privacyRequests,
  staleRecords,
  storeRecords,
  syncSeenRecords,
  lifecycleCalls,
  pluginCalls,
  pluginCatalogue,
  plugins,
  webhookDeliveries,
  webhookSubscriptions,
  contactCommerceRecords,
  purchaseConditions,
  inboundDeliveries,
  inboundDeliveryQueue,
  backlog,
  workerDirectory
])

/** Every security contract against one adapter. */
export const allSecurityContracts = runContracts([ids, passwordPolicy, cursors, vault, passwordHasher, tokenSigner])
