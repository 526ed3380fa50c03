import { Schema } from "effect"
import { ChatAccountId } from "../chat/index.ts"
import { ActorRef, Timestamp, wholeShownWith } from "../../kernel/index.ts"
import { ConversationId, MessageId, NoteId } from "./Ids.ts"
import { Direction, MessageAuthor, MessageKind, MessageStatus } from "./Message.ts"

const whole = wholeShownWith("conversations.read")

/** One thing that happened in a contact's conversations. */
export const ConversationEntry = Schema.Union([
  Schema.Struct({
    kind: Schema.Literal("conversation_opened"),
    id: ConversationId,
    at: Timestamp,
    conversationId: ConversationId,
    chatAccountId: ChatAccountId
  }).annotate(whole),
  Schema.Struct({
    kind: Schema.Literal("message"),
    id: MessageId,
    at: Timestamp,
    conversationId: ConversationId,
    direction: Direction,
    messageKind: MessageKind,
    /** What it says, or the caption of its file; `null` where it has no words. */
    text: Schema.NullOr(Schema.String),
    status: MessageStatus,
    author: MessageAuthor
  }).annotate(whole),
  Schema.Struct({
    kind: Schema.Literal("note"),
    id: NoteId,
    at: Timestamp,
    actor: ActorRef,
    conversationId: ConversationId,
    text: Schema.String,
    editedAt: Schema.NullOr(Timestamp)
  }).annotate(whole)
]).annotate({ identifier: "ConversationEntry" })
export type ConversationEntry = typeof ConversationEntry.Type
