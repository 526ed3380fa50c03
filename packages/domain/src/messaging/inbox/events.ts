import { Schema } from "effect"
import { ContactId } from "../../crm/index.ts"
import { eventAppender, UserId } from "../../kernel/index.ts"
import { ChatAccountId } from "../chat/index.ts"
import { ConversationStatus } from "./Conversation.ts"
import { CannedReplyId, ConversationId, MessageId, MessageKind, MessageStatus, NoteId } from "./Message.ts"

const eventSchema = <const Type extends string, F extends Schema.Struct.Fields>(type: Type, fields: F) =>
  Schema.Struct({ type: Schema.Literal(type), ...fields })

const message = { conversationId: ConversationId, messageId: MessageId }
/** Whether the event starts or ends a wait. */
const WaitTransition = Schema.optionalKey(Schema.Literals(["begins", "ends"]))
/** Events include the account since statistics use them. Older events have no account. */
const waitFields = { chatAccountId: Schema.optionalKey(ChatAccountId), awaits: WaitTransition }
const note = { conversationId: ConversationId, noteId: NoteId }

/** Events of the inbox. They identify the resource and the change; content is read from the resource. */
export const InboxEvent = Schema.Union([
  eventSchema("conversation.opened", {
    conversationId: ConversationId,
    contactId: ContactId,
    chatAccountId: ChatAccountId,
    /** `resolved` if the conversation needs no action. Default: open. */
    status: Schema.optionalKey(ConversationStatus)
  }),
  eventSchema("conversation.status_changed", {
    conversationId: ConversationId,
    from: ConversationStatus,
    to: ConversationStatus,
    /** Part of a bulk change, which triggers no automatic processing. */
    bulk: Schema.optionalKey(Schema.Literal(true)),
    ...waitFields
  }),
  eventSchema("conversation.assigned", {
    conversationId: ConversationId,
    assigneeId: Schema.NullOr(UserId),
    /** Part of a bulk change, which triggers no automatic processing. */
    bulk: Schema.optionalKey(Schema.Literal(true))
  }),
  eventSchema("conversation.updated", {
    conversationId: ConversationId,
    fields: Schema.Array(Schema.String),
    ...waitFields
  }),
  eventSchema("conversation.read", { conversationId: ConversationId }),
  eventSchema("conversation.unread", { conversationId: ConversationId }),
  eventSchema("message.received", { ...message, contactId: ContactId, kind: MessageKind, ...waitFields }),
  eventSchema("message.echoed", {
    ...message,
    contactId: ContactId,
    chatAccountId: ChatAccountId,
    kind: MessageKind
  }),
  eventSchema("message.queued", { ...message, kind: MessageKind }),
  eventSchema("message.status_changed", { ...message, from: MessageStatus, to: MessageStatus }),
  eventSchema("message.updated", { ...message, fields: Schema.Array(Schema.String) }),
  eventSchema("note.created", note),
  eventSchema("note.updated", note),
  eventSchema("note.deleted", note),
  eventSchema("canned_reply.created", { cannedReplyId: CannedReplyId }),
  eventSchema("canned_reply.updated", { cannedReplyId: CannedReplyId }),
  eventSchema("canned_reply.deleted", { cannedReplyId: CannedReplyId })
])
export type InboxEvent = typeof InboxEvent.Type

export const appendEvent = eventAppender<InboxEvent>()
