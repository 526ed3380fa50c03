import type { FieldDescriptions } from "./FieldDescriptions.ts"

/** Descriptions of the fields of conversations, notes and canned replies, by component or event, and path. */
export const inboxFields: FieldDescriptions = {
  ActorRef: {
    kind: "`operator` is a person at the command line, `token` an automation token, `system` the service itself.",
    id: "Id of the user, token, plugin, automation or workflow; a name for operators and the service."
  },
  BulkChange: {
    action: "`tag` adds and `untag` removes tags, `consent` sets the marketing consent, `delete` deletes the contacts.",
    tags: "Ids of the tags to add or to remove.",
    marketing: "Marketing consent to set; it does not withdraw an opt-out that the contact declared."
  },
  BulkRequest: {
    change: "Change of each contact.",
    target: "Contacts to change: either `ids` or `filter`."
  },
  BulkResult: {
    matched: "Number of requested contacts that exist.",
    changed: "Number of changed contacts; the others already had the requested state, or kept an opt-out.",
    missing: "Requested ids without a contact."
  },
  BulkTarget: {
    ids: "Ids of 1 to 1,000 contacts, which change immediately; either this or `filter`.",
    filter: "Filter for the contacts, which change in a background job; either this or `ids`."
  },
  CannedReply: {
    shortcut: "Text that a member types to insert the reply, unique in the organization.",
    text: "Text that the reply inserts, 1 to 4,096 characters."
  },
  Conversation: {
    contact: "Contact of the conversation, in brief.",
    status: "Status; a message of the contact makes the conversation `open` again, within 7 days if it is `resolved`.",
    priority: "Priority of the conversation; `none` if the team has set none.",
    assigneeId: "Id of the assigned user; null if unassigned.",
    snoozedUntil: "Time at which the conversation opens again in UTC; null if it is not snoozed.",
    unreadCount: "Number of incoming messages that the team has not read.",
    lastMessage: "Last message in brief; null without messages.",
    lastInboundAt:
      "Time of the contact's last message or call in UTC, not of edits and deletions; null before the first one.",
    lastActivityAt: "Time of the last message in UTC, or of the opening if there is none; the default order of lists.",
    waitingSince:
      "Time of the contact's first unanswered message in UTC; null if the contact does not wait for an answer.",
    firstRepliedAt:
      "Time in UTC at which the provider accepted the first message of a person that ended a wait; null before that.",
    window: "Service window of the recipient, in which free-form messages are allowed.",
    freeEntryPoint: "Period without charges after an advertisement, as reported by the provider; null outside of one.",
    labels: "Labels of the team, at most 20 of up to 40 characters each."
  },
  ConversationAssignment: {},
  ConversationBulk: {
    ids: "Ids of 1 to 100 conversations.",
    action: "Change of each conversation.",
    "action.type": "Kind of the change; `read`, `unread`, `resolve` and `reopen` have no further fields.",
    "action.until": "Time at which the conversations open again, in the future and within a year.",
    "action.assigneeId": "Id of the assigned user, `me` for the signed-in caller, or null to unassign.",
    "action.priority": "New priority.",
    "action.labels": "Labels to add or to remove; a conversation has at most 20."
  },
  ConversationBulkResult: {
    changed: "Number of changed conversations.",
    unchanged: "Number of conversations that already had the requested state.",
    refused: "Conversations that stay the same because the change is not possible, each with the reason.",
    "refused.id": "Id of the conversation.",
    "refused.code":
      "Reason: `not_found`, `conversation_transition_invalid`, `conversation_exists` or `too_many_labels`.",
    "refused.detail": "Explanation of the reason for people."
  },
  ConversationCounts: {
    open: "Number of open conversations.",
    pending: "Number of pending conversations.",
    snoozed: "Number of snoozed conversations.",
    resolved: "Number of resolved conversations.",
    mine: "Number of unresolved conversations that are assigned to the signed-in caller; 0 for programs.",
    unassigned: "Number of unresolved conversations without an assignee.",
    unread: "Number of unresolved conversations with unread messages."
  },
  ConversationExistsProblem: {
    conversationId: "Id of the unresolved conversation with this contact over this number."
  },
  ConversationPatch: {
    status: "New status; the problem `conversation_transition_invalid` lists the allowed ones. Default: unchanged.",
    priority: "New priority. Default: unchanged.",
    assigneeId: "Id of the assigned user, `me` for the signed-in caller, or null to unassign. Default: unchanged.",
    labels: "New labels, which replace all labels. Default: unchanged.",
    recipient: "Identity of the contact that gets the messages until another one writes. Default: unchanged."
  },
  ConversationSnooze: {
    until: "Time at which the conversation opens again, in the future and within a year."
  },
  ConversationTransitionInvalidProblem: {
    from: "Current status of the conversation.",
    to: "Requested status.",
    allowed: "Statuses that the conversation can change to."
  },
  ExpandedConversation: {},
  ExportedConversation: {
    resolvedAt: "Time at which the conversation was resolved in UTC; null if it is not resolved."
  },
  FreeEntryPoint: {
    expiresAt: "End of the period without charges in UTC; the service window can end earlier."
  },
  LastMessage: {
    id: "Id of the message.",
    direction: "`inbound` messages are from the contact, `outbound` ones from the organization.",
    kind: "Kind of the message.",
    text: "Beginning of the text; null if the message has no text.",
    at: "Time of writing in UTC; for incoming messages by the provider's clock."
  },
  NewConversation: {
    contactId: "Id of the contact to write to.",
    chatAccountId: "Id of the chat account that the conversation uses.",
    assigneeId: "Id of the assigned user, or `me` for the signed-in caller. Default: null, unassigned.",
    priority: "Priority of the conversation. Default: `none`.",
    labels: "Labels of the conversation. Default: none.",
    recipient: "Identity that gets the messages. Default: the one with the latest open window, otherwise the phone."
  },
  NewNote: {
    mentions: "Ids of the mentioned users, who must have access to conversations. Default: none."
  },
  Note: {
    author: "Actor that wrote the note; only this actor can change it.",
    text: "Text of the note, 1 to 10,000 characters; the contact never sees it.",
    mentions: "Ids of the mentioned users, at most 20.",
    editedAt: "Time of the last change by the author in UTC; null if the note was never changed."
  },
  NotePatch: {
    text: "New text of the note, 1 to 10,000 characters. Default: unchanged.",
    mentions: "Ids of the mentioned users, which replace the earlier ones. Default: unchanged."
  },
  OtherIdentity: {
    kind: "`chat_user` is an id at the chat provider, `store_customer` at a store, `external` in another system.",
    value: "Id in the other system, unchanged; for `store_customer` in the form `provider/shopId/customerId`."
  },
  ServiceWindow: {
    open: "Whether free-form messages are allowed now; always true for channels without a service window.",
    expiresAt:
      "End of the window in UTC, also if it has passed; null if the recipient has not written or no window applies."
  },
  ServiceWindowClosedProblem: {
    expiredAt: "Time at which the window closed in UTC; null if the recipient has never written to this number."
  },
  "conversation.assigned": {
    "data.assigneeId": "Id of the newly assigned user; null if the conversation is now unassigned.",
    "data.bulk": "Present if the change is part of a bulk change, which starts no automations and workflows."
  },
  "conversation.opened": {
    "data.status": "Status of the new conversation; `open` if it is absent."
  },
  "conversation.status_changed": {
    "data.from": "Status before the change.",
    "data.to": "Status after the change.",
    "data.bulk": "Present if the change is part of a bulk change, which starts no automations and workflows.",
    "data.awaits":
      "`begins` if the contact now waits for an answer, `ends` if that wait is over; absent without a change of it."
  },
  "conversation.updated": {
    "data.fields": "Names of the changed fields, for example `priority`, `labels`, `recipient` or `waitingSince`.",
    "data.awaits":
      "`begins` if the contact now waits for an answer, `ends` if that wait is over; absent without a change of it."
  },
  ConversationContact: {
    id: "Id of the contact.",
    name: "Name of the contact; null if it is unknown.",
    phone: "Phone number of the contact in E.164 format; null if it is unknown."
  }
}
