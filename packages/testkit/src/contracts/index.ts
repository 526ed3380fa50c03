import { analyticsBooks } from "./analytics/analyticsBooks.ts"
import { analyticsFigures } from "./analytics/analyticsFigures.ts"
import { analyticsLoad } from "./analytics/analyticsLoad.ts"
import { analyticsRecords } from "./analytics/analyticsRecords.ts"
import { startedBroadcasts } from "./analytics/startedBroadcasts.ts"
import { auditLog } from "./audit/auditLog.ts"
import { triggerClocks } from "./automation/triggerClocks.ts"
import { automationRuns } from "./automation/automationRuns.ts"
import { actionEffects } from "./automation/actionEffects.ts"
import { automations } from "./automation/automations.ts"
import { storedAutomationSettings } from "./automation/storedAutomationSettings.ts"
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
import { chatAccounts } from "./chat/chatAccounts.ts"
import { dailyReach } from "./chat/dailyReach.ts"
import { messageTemplates } from "./chat/messageTemplates.ts"
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
import { deliveries } from "./deliveries/deliveries.ts"
import { deliveryInbox } from "./deliveries/deliveryInbox.ts"
import { docsCodes } from "./docs-handoff/docsCodes.ts"
import { plans } from "./entitlements/plans.ts"
import { eventLog } from "./events/eventLog.ts"
import { eventSignals } from "./events/eventSignals.ts"
import { subscriptions } from "./events/subscriptions.ts"
import { files } from "./files/files.ts"
import { accounts } from "./identity/accounts.ts"
import { automationTokens } from "./identity/automationTokens.ts"
import { availabilities } from "./identity/availabilities.ts"
import { knownAddresses } from "./identity/knownAddresses.ts"
import { members } from "./identity/members.ts"
import { organizationDirectory, organizations } from "./identity/organizations.ts"
import { passwordPolicy } from "./identity/passwordPolicy.ts"
import { passwordHasher } from "./identity/passwordHasher.ts"
import { passwordResets } from "./identity/passwordResets.ts"
import { sessions } from "./identity/sessions.ts"
import { signingKeys } from "./identity/signingKeys.ts"
import { tokenSigner } from "./identity/tokenSigner.ts"
import { users } from "./identity/users.ts"
import { cannedReplies } from "./inbox/cannedReplies.ts"
import { assignedConversations } from "./inbox/assignedConversations.ts"
import { assignmentQueue } from "./inbox/assignmentQueue.ts"
import { contactConditions } from "./inbox/contactConditions.ts"
import { contactConversations } from "./inbox/contactConversations.ts"
import { contactCorrespondence } from "./inbox/contactCorrespondence.ts"
import { contactJoins } from "./inbox/contactJoins.ts"
import { conversationLists } from "./inbox/conversationLists.ts"
import { conversations } from "./inbox/conversations.ts"
import { mediaLibrary } from "./inbox/mediaLibrary.ts"
import { messages } from "./inbox/messages.ts"
import { renderedMessages } from "./inbox/renderedMessages.ts"
import { notes } from "./inbox/notes.ts"
import { sendQueue } from "./inbox/sendQueue.ts"
import { sendSets } from "./inbox/sendSets.ts"
import { workloads } from "./inbox/workloads.ts"
import { waits } from "./inbox/waits.ts"
import { jobQueue } from "./jobs/jobQueue.ts"
import { jobs } from "./jobs/jobs.ts"
import { backlog } from "./operations/backlog.ts"
import { workforce } from "./operations/workforce.ts"
import { cursors } from "./kernel/cursors.ts"
import { idempotencyKeys } from "./kernel/idempotencyKeys.ts"
import { ids } from "./kernel/ids.ts"
import { locks } from "./kernel/locks.ts"
import { rateLimits } from "./kernel/rateLimits.ts"
import { unitOfWork } from "./kernel/unitOfWork.ts"
import { vault } from "./kernel/vault.ts"
import { mailQueue } from "./mail/mailQueue.ts"
import { broadcastBuyers } from "./stores/broadcastBuyers.ts"
import { cartClock } from "./stores/cartClock.ts"
import { commerceOfContacts } from "./stores/commerceOfContacts.ts"
import { purchaseConditions } from "./stores/purchaseConditions.ts"
import { awayReplies } from "./schedules/awayReplies.ts"
import { weeklySchedules } from "./schedules/weeklySchedules.ts"
import { contactWorkflowRuns } from "./workflows/contactWorkflowRuns.ts"
import { workflowHolds } from "./workflows/workflowHolds.ts"
import { workflowRuns } from "./workflows/workflowRuns.ts"
import { workflows } from "./workflows/workflows.ts"
import { skippedRecords } from "./stores/skippedRecords.ts"
import { storeConnections } from "./stores/storeConnections.ts"
import { privacyRequests } from "./stores/privacyRequests.ts"
import { storeMarks } from "./stores/storeMarks.ts"
import { storeRecords } from "./stores/storeRecords.ts"
import { storeSightings } from "./stores/storeSightings.ts"
import { pluginCalls } from "./plugins/pluginCalls.ts"
import { lifecycleCalls, pluginCatalogue, plugins } from "./plugins/plugins.ts"
import { webhookDeliveries } from "./webhooks/webhookDeliveries.ts"
import { webhookSubscriptions } from "./webhooks/webhookSubscriptions.ts"
import { lanes } from "./work/lanes.ts"
import { organizationIds } from "./work/organizationIds.ts"
import { shards } from "./work/shards.ts"

export type { ContractOptions, Overlap } from "./contract.ts"
export { analyticsBooksContract } from "./analytics/analyticsBooks.ts"
export { analyticsFiguresContract } from "./analytics/analyticsFigures.ts"
export { analyticsLoadContract } from "./analytics/analyticsLoad.ts"
export { analyticsRecordsContract } from "./analytics/analyticsRecords.ts"
export { startedBroadcastsContract } from "./analytics/startedBroadcasts.ts"
export { auditLogContract } from "./audit/auditLog.ts"
export { awayRepliesContract } from "./schedules/awayReplies.ts"
export { weeklySchedulesContract } from "./schedules/weeklySchedules.ts"
export { triggerClocksContract } from "./automation/triggerClocks.ts"
export { automationRunsContract } from "./automation/automationRuns.ts"
export { contactWorkflowRunsContract } from "./workflows/contactWorkflowRuns.ts"
export { workflowHoldsContract } from "./workflows/workflowHolds.ts"
export { workflowRunsContract } from "./workflows/workflowRuns.ts"
export { workflowsContract } from "./workflows/workflows.ts"
export { actionEffectsContract } from "./automation/actionEffects.ts"
export { performedActionsContract } from "./automation/performedActions.ts"
export { automationsContract } from "./automation/automations.ts"
export { storedAutomationSettingsContract } from "./automation/storedAutomationSettings.ts"
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
export { chatAccountsContract } from "./chat/chatAccounts.ts"
export { dailyReachContract } from "./chat/dailyReach.ts"
export { deliveryReadingContract } from "./chat/deliveryReading.ts"
export { mediaTransferContract } from "./chat/mediaTransfer.ts"
export { messageSendingContract } from "./chat/messageSending.ts"
export { messageTemplatesContract } from "./chat/messageTemplates.ts"
export { numberCheckingContract } from "./chat/numberChecking.ts"
export { numberSignupContract } from "./chat/numberSignup.ts"
export * from "./chat/sides.ts"
export { templateApprovalContract } from "./chat/templateApproval.ts"
export { storePlatformContract } from "./stores/storePlatform.ts"
export { StoreSide } from "./stores/StoreSide.ts"
export { deliveriesContract } from "./deliveries/deliveries.ts"
export { deliveryInboxContract } from "./deliveries/deliveryInbox.ts"
export { docsCodesContract } from "./docs-handoff/docsCodes.ts"
export { plansContract } from "./entitlements/plans.ts"
export { eventLogContract } from "./events/eventLog.ts"
export { eventSignalsContract } from "./events/eventSignals.ts"
export { subscriptionsContract } from "./events/subscriptions.ts"
export { filesContract } from "./files/files.ts"
export { accountsContract } from "./identity/accounts.ts"
export { automationTokensContract } from "./identity/automationTokens.ts"
export { membersContract } from "./identity/members.ts"
export { organizationDirectoryContract, organizationsContract } from "./identity/organizations.ts"
export { passwordPolicyContract } from "./identity/passwordPolicy.ts"
export { passwordHasherContract } from "./identity/passwordHasher.ts"
export { passwordResetsContract } from "./identity/passwordResets.ts"
export { availabilitiesContract } from "./identity/availabilities.ts"
export { knownAddressesContract } from "./identity/knownAddresses.ts"
export { sessionsContract } from "./identity/sessions.ts"
export { signingKeysContract } from "./identity/signingKeys.ts"
export { tokenSignerContract } from "./identity/tokenSigner.ts"
export { usersContract } from "./identity/users.ts"
export { cannedRepliesContract } from "./inbox/cannedReplies.ts"
export { assignedConversationsContract } from "./inbox/assignedConversations.ts"
export { assignmentQueueContract } from "./inbox/assignmentQueue.ts"
export { contactConditionsContract } from "./inbox/contactConditions.ts"
export { contactConversationsContract } from "./inbox/contactConversations.ts"
export { contactCorrespondenceContract } from "./inbox/contactCorrespondence.ts"
export { contactJoinsContract } from "./inbox/contactJoins.ts"
export { conversationListsContract } from "./inbox/conversationLists.ts"
export { conversationsContract } from "./inbox/conversations.ts"
export { mediaLibraryContract } from "./inbox/mediaLibrary.ts"
export { messagesContract } from "./inbox/messages.ts"
export { renderedMessagesContract } from "./inbox/renderedMessages.ts"
export { notesContract } from "./inbox/notes.ts"
export { sendQueueContract } from "./inbox/sendQueue.ts"
export { sendSetsContract } from "./inbox/sendSets.ts"
export { workloadsContract } from "./inbox/workloads.ts"
export { waitsContract } from "./inbox/waits.ts"
export { jobQueueContract } from "./jobs/jobQueue.ts"
export { jobsContract } from "./jobs/jobs.ts"
export { backlogContract } from "./operations/backlog.ts"
export { workforceContract } from "./operations/workforce.ts"
export { cursorsContract } from "./kernel/cursors.ts"
export { idempotencyKeysContract } from "./kernel/idempotencyKeys.ts"
export { idsContract } from "./kernel/ids.ts"
export { locksContract } from "./kernel/locks.ts"
export { rateLimitsContract } from "./kernel/rateLimits.ts"
export { unitOfWorkContract } from "./kernel/unitOfWork.ts"
export { vaultContract } from "./kernel/vault.ts"
export { mailerContract, MailServerSide } from "./mail/mailer.ts"
export { mailQueueContract } from "./mail/mailQueue.ts"
export { broadcastBuyersContract } from "./stores/broadcastBuyers.ts"
export { cartClockContract } from "./stores/cartClock.ts"
export { commerceOfContactsContract } from "./stores/commerceOfContacts.ts"
export { purchaseConditionsContract } from "./stores/purchaseConditions.ts"
export { skippedRecordsContract } from "./stores/skippedRecords.ts"
export { storeConnectionsContract } from "./stores/storeConnections.ts"
export { privacyRequestsContract } from "./stores/privacyRequests.ts"
export { storeMarksContract } from "./stores/storeMarks.ts"
export { storeRecordsContract } from "./stores/storeRecords.ts"
export { storeSightingsContract } from "./stores/storeSightings.ts"
export { lanesContract } from "./work/lanes.ts"
export { organizationIdsContract } from "./work/organizationIds.ts"
export { shardsContract } from "./work/shards.ts"

/** Every storage contract against one adapter, which is started once. The store need not be empty. */
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
  availabilities,
  knownAddresses,
  sessions,
  passwordResets,
  mailQueue,
  accounts,
  automationTokens,
  plans,
  analyticsBooks,
  analyticsFigures,
  analyticsLoad,
  analyticsRecords,
  startedBroadcasts,
  auditLog,
  eventLog,
  eventSignals,
  subscriptions,
  docsCodes,
  awayReplies,
  weeklySchedules,
  triggerClocks,
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
  dailyReach,
  messageTemplates,
  cannedReplies,
  assignedConversations,
  assignmentQueue,
  contactConditions,
  contactConversations,
  contactCorrespondence,
  contactJoins,
  conversationLists,
  conversations,
  mediaLibrary,
  messages,
  renderedMessages,
  notes,
  sendQueue,
  sendSets,
  waits,
  workloads,
  skippedRecords,
  storeConnections,
  broadcastBuyers,
  cartClock,
  privacyRequests,
  storeMarks,
  storeRecords,
  storeSightings,
  lifecycleCalls,
  pluginCalls,
  pluginCatalogue,
  plugins,
  webhookDeliveries,
  webhookSubscriptions,
  commerceOfContacts,
  purchaseConditions,
  deliveries,
  deliveryInbox,
  backlog,
  workforce
])

/** Every security contract against one adapter. */
export const allSecurityContracts = runContracts([ids, passwordPolicy, cursors, vault, passwordHasher, tokenSigner])
