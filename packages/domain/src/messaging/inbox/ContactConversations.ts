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

/** One thing that happened in a contact's conversations. */
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
    /** What it says, or the caption of its file; `null` where it has no words. */
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

/** A message of the system in a conversation, about what has happened to it. */
export interface SystemMessageInput {
  readonly id: MessageId
  readonly conversationId: ConversationId
  readonly chatAccountId: ChatAccountId
  readonly text: string
  readonly author: MessageAuthor
  readonly at: DateTime.Utc
}

/** The entry as a message. It does not count as unread, and it is sent to nobody. */
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

/** Everything that was written with a contact, and what the team has noted on it. */
export interface Correspondence {
  readonly conversations: ReadonlyArray<Conversation>
  readonly messages: ReadonlyArray<Message>
  readonly notes: ReadonlyArray<Note>
  /** The files of the messages. */
  readonly media: ReadonlyArray<Media>
}

/** A conversation that was joined with another one, or separated from it again. */
export interface ConversationMergeChange {
  readonly before: Conversation
  readonly after: Conversation
}

/** The conversations of contacts, and what happens to them when contacts are merged, unmerged or erased. */
export class ContactConversations extends Context.Service<
  ContactConversations,
  TenantScoped<{
    /**
     * What happened in the conversations of a contact, newest first by `at`; the key of a row is its `at`, as written, and
     * its id.
     */
    readonly timeline: (contactId: ContactId, slice: Slice) => Effect.Effect<ReadonlyArray<ConversationEntry>>
    /** At most `limit` of each kind, the newest first. */
    readonly correspondence: (contactId: ContactId, limit: number) => Effect.Effect<Correspondence>
    /**
     * Hands the conversations of one contact to another, with their versions raised by one. Where both have an unresolved one
     * over one account, the two are joined first (`joinAll`), and both are kept as they were. Answers the joined
     * conversations.
     */
    readonly handOver: (
      from: ContactId,
      to: ContactId,
      mergeId: ContactMergeId,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<ConversationMergeChange>, never, Transaction>
    /**
     * Hands what a merge had handed over back to the contact it came from, with versions raised by one. Newer conversations
     * stay. Joins are undone (`undoJoins`); `later` are the merges into the survivor that came after it and are not undone, in
     * their order. Answers the conversations that were joined.
     */
    readonly handBack: (
      undone: UndoneMerge,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<ConversationMergeChange>, never, Transaction>
    /** Writes system entries into conversations. */
    readonly enter: (entries: ReadonlyArray<SystemMessageInput>) => Effect.Effect<void, never, Transaction>
    /**
     * Removes the conversations of these contacts with their messages, notes, sends, and the media that no other message has.
     * Says which files are nobody's then.
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

/** A conversation of the person. */
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

/** A file of the person's messages, and where its bytes are read. */
export const ExportedMedia = Schema.Struct({ ...MediaView.fields, url: Schema.String }).annotate({
  identifier: "ExportedMedia",
  ...objectShownWith("conversations.read")
})

/** The export of a person's conversations. */
export const exportedCorrespondence = {
  conversations: Schema.Array(ExportedConversation),
  messages: Schema.Array(Message),
  notes: Schema.Array(Note),
  media: Schema.Array(ExportedMedia)
}
