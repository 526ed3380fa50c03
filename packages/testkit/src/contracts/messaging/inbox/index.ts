import { assignedConversations } from "./assignedConversations.ts"
import { assignmentQueue } from "./assignmentQueue.ts"
import { cannedReplies } from "./cannedReplies.ts"
import { contactConditions } from "./contactConditions.ts"
import { contactConversations } from "./contactConversations.ts"
import { contactCorrespondence } from "./contactCorrespondence.ts"
import { contactJoins } from "./contactJoins.ts"
import { conversationCounts } from "./conversationCounts.ts"
import { conversationLists } from "./conversationLists.ts"
import { conversationPairs } from "./conversationPairs.ts"
import { conversations } from "./conversations.ts"
import { earlyReceipts } from "./earlyReceipts.ts"
import { mediaLibrary } from "./mediaLibrary.ts"
import { messageArrivals } from "./messageArrivals.ts"
import { messageCharges } from "./messageCharges.ts"
import { messageKinds } from "./messageKinds.ts"
import { messageSearch } from "./messageSearch.ts"
import { messages } from "./messages.ts"
import { notes } from "./notes.ts"
import { oneTimeCodes } from "./oneTimeCodes.ts"
import { renderedMessages } from "./renderedMessages.ts"
import { sendAttempts } from "./sendAttempts.ts"
import { sendQueue } from "./sendQueue.ts"
import { sendSets } from "./sendSets.ts"
import { sendingAccounts } from "./sendingAccounts.ts"
import { snoozeTimers } from "./snoozeTimers.ts"
import { waitAnswers } from "./waitAnswers.ts"
import { waits } from "./waits.ts"
import { workloads } from "./workloads.ts"
import { writtenConversations } from "./writtenConversations.ts"

export { assignedConversationsContract } from "./assignedConversations.ts"
export { assignmentQueueContract } from "./assignmentQueue.ts"
export { cannedRepliesContract } from "./cannedReplies.ts"
export { contactConditionsContract } from "./contactConditions.ts"
export { contactConversationsContract } from "./contactConversations.ts"
export { contactCorrespondenceContract } from "./contactCorrespondence.ts"
export { contactJoinsContract } from "./contactJoins.ts"
export { conversationCountsContract } from "./conversationCounts.ts"
export { conversationListsContract } from "./conversationLists.ts"
export { conversationPairsContract } from "./conversationPairs.ts"
export { conversationsContract } from "./conversations.ts"
export { earlyReceiptsContract } from "./earlyReceipts.ts"
export { mediaLibraryContract } from "./mediaLibrary.ts"
export { messageArrivalsContract } from "./messageArrivals.ts"
export { messageChargesContract } from "./messageCharges.ts"
export { messageKindsContract } from "./messageKinds.ts"
export { messageSearchContract } from "./messageSearch.ts"
export { messagesContract } from "./messages.ts"
export { notesContract } from "./notes.ts"
export { oneTimeCodesContract } from "./oneTimeCodes.ts"
export { renderedMessagesContract } from "./renderedMessages.ts"
export { sendAttemptsContract } from "./sendAttempts.ts"
export { sendQueueContract } from "./sendQueue.ts"
export { sendSetsContract } from "./sendSets.ts"
export { sendingAccountsContract } from "./sendingAccounts.ts"
export { snoozeTimersContract } from "./snoozeTimers.ts"
export { waitAnswersContract } from "./waitAnswers.ts"
export { waitsContract } from "./waits.ts"
export { workloadsContract } from "./workloads.ts"
export { writtenConversationsContract } from "./writtenConversations.ts"

export const inboxContracts = [
  cannedReplies,
  assignedConversations,
  assignmentQueue,
  contactConditions,
  contactConversations,
  contactCorrespondence,
  contactJoins,
  conversationLists,
  conversations,
  conversationPairs,
  conversationCounts,
  snoozeTimers,
  writtenConversations,
  mediaLibrary,
  messageCharges,
  messages,
  messageKinds,
  messageArrivals,
  messageSearch,
  earlyReceipts,
  renderedMessages,
  notes,
  oneTimeCodes,
  sendQueue,
  sendAttempts,
  sendingAccounts,
  sendSets,
  waits,
  waitAnswers,
  workloads
]
