export { AssignedConversations, conversationAssignment } from "./assignees.ts"
export {
  AssignmentQueue,
  assignmentsLane,
  assignmentsWork,
  type AutoAssigned,
  AutoAssignment,
  openAssignments,
  type QueuedConversation,
  type WaitingConversation,
  type Workload,
  Workloads
} from "./assigning/AssignmentQueue.ts"
export { autoAssign, byTurn, chosenFor, isFree, plannedFor } from "./assigning/memberChoice.ts"
export * from "./assigning/waitingAssignments.ts"
export * from "./CannedReplies.ts"
export * from "./ContactConversations.ts"
export * from "./Conversation.ts"
export * from "./Conversations.ts"
export { conversationTransitions, inStatus, movesOn, reopeningDays, snoozed } from "./conversationStates.ts"
export {
  byUrgency,
  ConversationExpansion,
  conversationKey,
  ExpandedConversation,
  isDescending,
  shownConversations
} from "./conversationViews.ts"
export * from "./errors.ts"
export { InboxEvent } from "./events.ts"
export * from "./joins/conversationHolding.ts"
export { ConversationJoin, joinAll } from "./joins/conversationJoins.ts"
export { undoJoins } from "./joins/undoneJoins.ts"
export * from "./mediaDownloads.ts"
export { Media, MediaLibrary, MediaState, MediaSweep, MediaView } from "./MediaLibrary.ts"
export * from "./mediaTypes.ts"
export * from "./Message.ts"
export * from "./MessageDetails.ts"
export {
  acceptedAt,
  errorOf,
  isAnswer,
  isByPerson,
  messageErrorCodes,
  errorOf as messageErrorOf,
  people
} from "./messageProgress.ts"
export * from "./Messages.ts"
export * from "./messageSearch.ts"
export { chatDeliveries, inboxWorks, messageRefolds, messageRefoldsLane } from "./module.ts"
export { NewNote, Note, NotePatch, Notes } from "./Notes.ts"
export * from "./receiving/batchStorage.ts"
export type { LoadedState, OfAccount, ReceivingOutcome } from "./receiving/LoadedState.ts"
export { faultsOfWords, joinedWords, noWords, Word, WordList, WordLists } from "./receiving/optOutKeywords.ts"
export * from "./receiving/OutsideMessages.ts"
export type { PersonalEvent } from "./receiving/PersonalEvent.ts"
export * from "./receiving/receive.ts"
export { arrivalId } from "./receiving/receivedMessages.ts"
export * from "./recipients.ts"
export * from "./sending/AccountPaces.ts"
export { afterAnswer, afterSilence, type Silence, waitFor } from "./sending/backoff.ts"
export * from "./sending/dueSends.ts"
export { upload as handFileOver } from "./sending/messageContent.ts"
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
export { interactiveFaults } from "./writing/messageComposition.ts"
export { restingConversation, serviceAuthor, writeUnasked } from "./writing/messageWriting.ts"
export { checkTemplate, faultsOfFile, fileToSend } from "./writing/templateMessages.ts"
