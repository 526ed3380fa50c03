import { Schema } from "effect"
import { ContactId } from "../../crm/index.ts"
import { appending, UserId } from "../../kernel/index.ts"
import { ChatAccountId } from "../chat/index.ts"
import { ConversationStatus } from "./Conversation.ts"
import { CannedReplyId, ConversationId, MessageId, MessageKind, MessageStatus, NoteId } from "./Message.ts"

const happened = <const Type extends string, F extends Schema.Struct.Fields>(type: Type, fields: F) =>
  Schema.Struct({ type: Schema.Literal(type), ...fields })

const message = { conversationId: ConversationId, messageId: MessageId }
/** Whether somebody begins to wait for an answer by it, or waits no longer. */
const AwaitsMove = Schema.optionalKey(Schema.Literals(["begins", "ends"]))
/** Those that are told since figures are counted name the account. */
const moved = { chatAccountId: Schema.optionalKey(ChatAccountId), awaits: AwaitsMove }
const note = { conversationId: ConversationId, noteId: NoteId }

/** Events of the inbox. They name what happened to which resource; what was written is read from the resource. */
export const InboxEvent = Schema.Union([
  happened("conversation.opened", {
    conversationId: ConversationId,
    contactId: ContactId,
    chatAccountId: ChatAccountId,
    /** `resolved` where nobody has to do anything about it: open where nothing is said. */
    status: Schema.optionalKey(ConversationStatus)
  }),
  happened("conversation.status_changed", {
    conversationId: ConversationId,
    from: ConversationStatus,
    to: ConversationStatus,
    /** One of many that were changed at once: nothing starts by itself about each of them. */
    bulk: Schema.optionalKey(Schema.Literal(true)),
    ...moved
  }),
  happened("conversation.assigned", { conversationId: ConversationId, assigneeId: Schema.NullOr(UserId) }),
  happened("conversation.updated", {
    conversationId: ConversationId,
    fields: Schema.Array(Schema.String),
    ...moved
  }),
  happened("conversation.read", { conversationId: ConversationId }),
  happened("conversation.unread", { conversationId: ConversationId }),
  happened("message.received", { ...message, contactId: ContactId, kind: MessageKind, ...moved }),
  happened("message.echoed", { ...message, contactId: ContactId, kind: MessageKind }),
  happened("message.queued", { ...message, kind: MessageKind }),
  happened("message.status_changed", { ...message, from: MessageStatus, to: MessageStatus }),
  happened("message.updated", { ...message, fields: Schema.Array(Schema.String) }),
  happened("note.created", note),
  happened("note.updated", note),
  happened("note.deleted", note),
  happened("canned_reply.created", { cannedReplyId: CannedReplyId }),
  happened("canned_reply.updated", { cannedReplyId: CannedReplyId }),
  happened("canned_reply.deleted", { cannedReplyId: CannedReplyId })
])
export type InboxEvent = typeof InboxEvent.Type

/** Appends an event of this area in the commit of the change that it describes. */
export const appendEvent = appending<InboxEvent>()
