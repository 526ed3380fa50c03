import { assignedConversations } from "./assignedConversations.ts"
import { assignmentQueue } from "./assignmentQueue.ts"
import { cannedReplies } from "./cannedReplies.ts"
import { contactConditions } from "./contactConditions.ts"
import { contactConversations } from "./contactConversations.ts"
import { contactCorrespondence } from "./contactCorrespondence.ts"
import { contactJoins } from "./contactJoins.ts"
import { conversationLists } from "./conversationLists.ts"
import { conversations } from "./conversations.ts"
import { mediaLibrary } from "./mediaLibrary.ts"
import { messageCharges } from "./messageCharges.ts"
import { messages } from "./messages.ts"
import { notes } from "./notes.ts"
import { oneTimeCodes } from "./oneTimeCodes.ts"
import { renderedMessages } from "./renderedMessages.ts"
import { sendQueue } from "./sendQueue.ts"
import { sendSets } from "./sendSets.ts"
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
export { conversationListsContract } from "./conversationLists.ts"
export { conversationsContract } from "./conversations.ts"
export { mediaLibraryContract } from "./mediaLibrary.ts"
export { messageChargesContract } from "./messageCharges.ts"
export { messagesContract } from "./messages.ts"
export { notesContract } from "./notes.ts"
export { oneTimeCodesContract } from "./oneTimeCodes.ts"
export { renderedMessagesContract } from "./renderedMessages.ts"
export { sendQueueContract } from "./sendQueue.ts"
export { sendSetsContract } from "./sendSets.ts"
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
  workloads
]
