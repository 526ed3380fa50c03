import { Context, type DateTime, type Effect } from "effect"
import type { ContactId, ContactMergeId, UndoneMerge } from "../../crm/index.ts"
import type { FileId } from "../../platform/files/index.ts"
import type { Slice, TenantScoped, Transaction } from "../../kernel/index.ts"
import type { Conversation } from "./Conversation.ts"
import type { ConversationEntry } from "./ConversationEntry.ts"
import type { SystemEntry } from "./joins/SystemEntry.ts"
import type { Media } from "./Media.ts"
import type { Message } from "./Message.ts"
import type { Note } from "./Note.ts"

/** Everything that was written with a contact, and what the team has noted on it. */
export interface Correspondence {
  readonly conversations: ReadonlyArray<Conversation>
  readonly messages: ReadonlyArray<Message>
  readonly notes: ReadonlyArray<Note>
  /** The files of the messages. */
  readonly media: ReadonlyArray<Media>
}

/** A conversation that was joined with another one, or separated from it again. */
export interface JoinedConversation {
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
    ) => Effect.Effect<ReadonlyArray<JoinedConversation>, never, Transaction>
    /**
     * Hands what a merge had handed over back to the contact it came from, with versions raised by one. Newer conversations
     * stay. Joins are undone (`undoJoins`); `later` are the merges into the survivor that came after it and are not undone, in
     * their order. Answers the conversations that were joined.
     */
    readonly handBack: (
      undone: UndoneMerge,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<JoinedConversation>, never, Transaction>
    /** Writes system entries into conversations. */
    readonly enter: (entries: ReadonlyArray<SystemEntry>) => Effect.Effect<void, never, Transaction>
    /**
     * Removes the conversations of these contacts with their messages, notes, sends, and the media that no other message has.
     * Says which files are nobody's then.
     */
    readonly forget: (contactIds: ReadonlyArray<ContactId>) => Effect.Effect<ReadonlyArray<FileId>, never, Transaction>
  }>
>()("@parley/domain/messaging/inbox/ContactConversations") {}
