export { AssignedConversations, layerMemberResponsibilities } from "./assignees.ts"
export {
  AssignmentQueue,
  assignmentsLane,
  assignmentTaskName,
  AssignmentReason,
  type AutoAssignResult,
  AutoAssignment,
  scheduleAssignments,
  type QueuedConversation,
  type WaitingConversation,
  type Workload,
  Workloads
} from "./assigning/AssignmentQueue.ts"
export {
  autoAssign,
  byPriorityAndWait,
  chooseMember,
  hasFreeCapacity,
  planAssignments
} from "./assigning/memberChoice.ts"
export * from "./assigning/waitingAssignments.ts"
export * from "./CannedReplies.ts"
export { layerTemplateSamples } from "./templateSamples.ts"
export * from "./ContactConversations.ts"
export * from "./Conversation.ts"
export * from "./Conversations.ts"
export {
  conversationTransitions,
  withStatus,
  canAdvanceStatus,
  maxReopenDays,
  withSnooze
} from "./conversationStates.ts"
export {
  prioritiesByUrgency,
  ConversationExpansion,
  conversationCursorKey,
  ExpandedConversation,
  isDescending,
  toConversationViews
} from "./conversationViews.ts"
export * from "./errors.ts"
export { InboxEvent } from "./events.ts"
export * from "./conversationMerges/conversationData.ts"
export { ConversationMerge, mergeAllConversations } from "./conversationMerges/conversationMerge.ts"
export { undoConversationMerges } from "./conversationMerges/undoneMerges.ts"
export * from "./mediaDownloads.ts"
export { Media, MediaLibrary, MediaState, MediaSweep, MediaView } from "./MediaLibrary.ts"
export * from "./mediaTypes.ts"
export * from "./Message.ts"
export * from "./MessageCharges.ts"
export { OneTimeCodes, type SealedOneTimeCode } from "./OneTimeCodes.ts"
export * from "./messageCosts.ts"
export * from "./messageViews.ts"
export * from "./MessageDetails.ts"
export {
  acceptedAt,
  toMessageError,
  isAnswer,
  isByPerson,
  messageErrorCodes,
  toMessageError as messageErrorOf,
  personAuthorKinds
} from "./messageProgress.ts"
export * from "./Messages.ts"
export * from "./messageSearch.ts"
export { chatDeliveries, inboxTasks, messageReindex, messageReindexLane } from "./module.ts"
export { Presence, presenceEventType, PresenceState } from "./presence.ts"
export { NewNote, Note, NotePatch, Notes } from "./Notes.ts"
export * from "./receiving/batchStorage.ts"
export type { LoadedState, ForAccount, ReceivingOutcome } from "./receiving/LoadedState.ts"
export { validateOptKeywords, noOptKeywords, Keyword, KeywordList, OptKeywords } from "./receiving/optOutKeywords.ts"
export * from "./receiving/BulkMessages.ts"
export type { ContactEvent } from "./receiving/ContactEvent.ts"
export { chargeRank, combineCharges } from "./receiving/messageCharges.ts"
export * from "./receiving/receive.ts"
export { arrivalId } from "./receiving/receivedMessages.ts"
export * from "./recipients.ts"
export * from "./sending/AccountPaces.ts"
export { recordAnsweredCall, recordUnansweredCall, type UnansweredCalls, sendRetryDelay } from "./sending/backoff.ts"
export * from "./sending/dueSends.ts"
export { uploadToProvider } from "./sending/messageContent.ts"
export { applyRefusal } from "./sending/sendAttempt.ts"
export * from "./SendQueue.ts"
export * from "./snoozing.ts"
export * from "./use-cases/bulkChanges.ts"
export * from "./use-cases/cannedReplies.ts"
export * from "./use-cases/conversationChanges.ts"
export * from "./use-cases/conversations.ts"
export * from "./use-cases/media.ts"
export * from "./use-cases/messages.ts"
export * from "./use-cases/notes.ts"
export * from "./use-cases/sendMessages.ts"
export * from "./waiting/Waits.ts"
export { fileChoiceIssues } from "./writing/messageFiles.ts"
export { validateInteractive } from "./writing/interactiveRules.ts"
export { maskCodeOf } from "./writing/oneTimeCodes.ts"
export { MessageGroups } from "./writing/messageGroups.ts"
export { dormantConversation, systemAuthor, sendAutomatedMessage } from "./writing/messageWriting.ts"
export { checkTemplate, validateSendableFile, claimSendableFile } from "./writing/templateMessages.ts"
