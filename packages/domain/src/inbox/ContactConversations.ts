import { Context, type DateTime, type Effect } from "effect"
import type { ContactId, ContactMergeId, UndoneMerge } from "../crm/index.ts"
import type { FileId } from "../files/index.ts"
import type { Slice, TenantScoped, Transaction } from "../kernel/index.ts"
import type { Conversation } from "./Conversation.ts"
import type { ConversationEntry } from "./ConversationEntry.ts"
import type { SystemEntry } from "./joining/SystemEntry.ts"
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

/** A conversation that was joined with others, or parted from them. */
export interface JoinedConversation {
  readonly before: Conversation
  readonly after: Conversation
}

/** The conversations of contacts, and what becomes of them when something becomes of the contacts. */
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
     * over one account, the two are joined first, as `joinedAll` says, and both are kept as they were; says what has become of
     * those.
     */
    readonly handOver: (
      from: ContactId,
      to: ContactId,
      mergeId: ContactMergeId,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<JoinedConversation>, never, Transaction>
    /**
     * Hands what a merge had handed over back to the contact it came from, with versions raised by one. What began since stays.
     * Those that it had joined are parted, as `partedConversations` says; `later` are the merges into the survivor that came
     * after it and stand, in their order. Says what has become of those that were joined.
     */
    readonly handBack: (
      undone: UndoneMerge,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<JoinedConversation>, never, Transaction>
    /** Writes into conversations what has happened to them. */
    readonly enter: (entries: ReadonlyArray<SystemEntry>) => Effect.Effect<void, never, Transaction>
    /**
     * Removes the conversations of these contacts with their messages, notes, sends, and the media that no other message has.
     * Says which files are nobody's then.
     */
    readonly forget: (contactIds: ReadonlyArray<ContactId>) => Effect.Effect<ReadonlyArray<FileId>, never, Transaction>
  }>
>()("@parley/domain/inbox/ContactConversations") {}
