import { Context, type DateTime, type Effect, Schema } from "effect"
import type { ContactId, ContactMergeId, UndoneMerge } from "../../crm/index.ts"
import {
  ActorRef,
  type Slice,
  type TenantScoped,
  Timestamp,
  type Transaction,
  objectShownWith
} from "../../kernel/index.ts"
import type { FileId } from "../../platform/files/index.ts"
import { ChatAccountId } from "../chat/index.ts"
import { Conversation } from "./Conversation.ts"
import { type Media, MediaView } from "./MediaLibrary.ts"
import {
  ConversationId,
  Direction,
  Message,
  MessageAuthor,
  MessageId,
  MessageKind,
  MessageStatus,
  NoteId
} from "./Message.ts"
import { Note } from "./Notes.ts"

const conversationsPermission = objectShownWith("conversations.read")

/** Entry in the timeline of a contact's conversations. */
export const ConversationEntry = Schema.Union([
  Schema.Struct({
    kind: Schema.Literal("conversation_opened"),
    id: ConversationId,
    at: Timestamp,
    conversationId: ConversationId,
    chatAccountId: ChatAccountId
  }).annotate(conversationsPermission),
  Schema.Struct({
    kind: Schema.Literal("message"),
    id: MessageId,
    at: Timestamp,
    conversationId: ConversationId,
    direction: Direction,
    messageKind: MessageKind,
    /** Text of the message, or the caption of its file; `null` without text. */
    text: Schema.NullOr(Schema.String),
    status: MessageStatus,
    author: MessageAuthor
  }).annotate(conversationsPermission),
  Schema.Struct({
    kind: Schema.Literal("note"),
    id: NoteId,
    at: Timestamp,
    actor: ActorRef,
    conversationId: ConversationId,
    text: Schema.String,
    editedAt: Schema.NullOr(Timestamp)
  }).annotate(conversationsPermission)
]).annotate({ identifier: "ConversationEntry" })
export type ConversationEntry = typeof ConversationEntry.Type

/** System entry in a conversation about a change of it. */
export interface SystemMessageInput {
  readonly id: MessageId
  readonly conversationId: ConversationId
  readonly chatAccountId: ChatAccountId
  readonly text: string
  readonly author: MessageAuthor
  readonly at: DateTime.Utc
}

/** Converts the entry to a message. It does not count as unread, and it is never sent. */
export const systemMessage = ({ at, author, conversationId, id, text }: SystemMessageInput): Message =>
  new Message({
    id,
    conversationId,
    direction: "inbound",
    kind: "system",
    text,
    media: null,
    template: null,
    interactive: null,
    location: null,
    contacts: null,
    replyToId: null,
    author,
    recipient: null,
    status: "received",
    error: null,
    providerMessageId: null,
    at,
    sentAt: null,
    deliveredAt: null,
    readAt: null,
    failedAt: null,
    createdAt: at
  })

/** All messages with a contact, and the team's notes. */
export interface Correspondence {
  readonly conversations: ReadonlyArray<Conversation>
  readonly messages: ReadonlyArray<Message>
  readonly notes: ReadonlyArray<Note>
  readonly media: ReadonlyArray<Media>
}

/** Conversation that was joined with another one, or separated from it again. */
export interface ConversationMergeChange {
  readonly before: Conversation
  readonly after: Conversation
}

/** Conversations of contacts, and their changes when contacts are merged, unmerged or erased. */
export class ContactConversations extends Context.Service<
  ContactConversations,
  TenantScoped<{
    /** Timeline of a contact's conversations, newest first by `at`. The key of a row is its `at`, as written, and its id. */
    readonly timeline: (contactId: ContactId, slice: Slice) => Effect.Effect<ReadonlyArray<ConversationEntry>>
    /** At most `limit` of each kind, newest first. */
    readonly correspondence: (contactId: ContactId, limit: number) => Effect.Effect<Correspondence>
    /**
     * Transfers the conversations of one contact to another, with versions raised by one. If both have an unresolved one over one account, the two
     * are joined first (`mergeAllConversations`), and their earlier states are stored. Returns the joined conversations.
     */
    readonly handOver: (
      from: ContactId,
      to: ContactId,
      mergeId: ContactMergeId,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<ConversationMergeChange>, never, Transaction>
    /**
     * Returns the conversations of a merge to the contact they came from, with versions raised by one. Newer conversations stay. Joins are undone
     * (`undoConversationMerges`). `later` are the following merges into the survivor that are not undone, in order. Returns the conversations
     * that were joined.
     */
    readonly handBack: (
      undone: UndoneMerge,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<ConversationMergeChange>, never, Transaction>
    readonly enter: (entries: ReadonlyArray<SystemMessageInput>) => Effect.Effect<void, never, Transaction>
    /**
     * Deletes the conversations of these contacts with their messages, notes, sends, and media without other messages. Returns the files without
     * remaining media.
     */
    readonly forget: (contactIds: ReadonlyArray<ContactId>) => Effect.Effect<ReadonlyArray<FileId>, never, Transaction>
  }>
>()("@parley/domain/messaging/inbox/ContactConversations") {}

const {
  assigneeId,
  chatAccountId,
  createdAt,
  id,
  labels,
  lastActivityAt,
  lastInboundAt,
  priority,
  resolvedAt,
  status
} = Conversation.fields

/** Conversation in the export of a person. */
export const ExportedConversation = Schema.Struct({
  id,
  chatAccountId,
  status,
  priority,
  assigneeId,
  labels,
  lastInboundAt,
  lastActivityAt,
  resolvedAt,
  createdAt
}).annotate({ identifier: "ExportedConversation", ...objectShownWith("conversations.read") })

/** File of the person's messages, with the URL of its bytes. */
export const ExportedMedia = Schema.Struct({ ...MediaView.fields, url: Schema.String }).annotate({
  identifier: "ExportedMedia",
  ...objectShownWith("conversations.read")
})

export const exportedCorrespondence = {
  conversations: Schema.Array(ExportedConversation),
  messages: Schema.Array(Message),
  notes: Schema.Array(Note),
  media: Schema.Array(ExportedMedia)
}
