import { Context, type Effect } from "effect"
import type { ContactId } from "../../crm/index.ts"
import type { NotFound, Slice, TenantScoped, Transaction, UserId } from "../../kernel/index.ts"
import type { ChatAccountId, Recipient } from "../chat/index.ts"
import type {
  Conversation,
  ConversationContact,
  ConversationCounts,
  ConversationStatus,
  Priority
} from "./Conversation.ts"
import type { ConversationId, MessageId } from "./Message.ts"
import type { ConversationExists } from "./errors.ts"
import type { ConversationWait } from "./waiting/Waits.ts"

/**
 * In which order conversations are listed: by when something last happened, or by when they began; a minus is for descending. Or those first in
 * which somebody has waited longest, or that are most urgent; others of the same rank as `-lastActivityAt`.
 */
export type ConversationSort =
  | "-lastActivityAt"
  | "lastActivityAt"
  | "-createdAt"
  | "createdAt"
  | "waitingSince"
  | "priority"

/** Which conversations to read; `null` is all of them. */
export interface ConversationQuery {
  readonly statuses: ReadonlyArray<ConversationStatus> | null
  readonly assignee: UserId | "none" | null
  /** Whether there are messages that nobody has read. */
  readonly unread: boolean | null
  /** Whether the contact waits for an answer. */
  readonly awaitingReply: boolean | null
  readonly priorities: ReadonlyArray<Priority> | null
  /** Any of these. */
  readonly labels: ReadonlyArray<string> | null
  readonly chatAccountId: ChatAccountId | null
  readonly contactId: ContactId | null
  /** Words that a message of the conversation has, each from its beginning, in small letters. */
  readonly words: ReadonlyArray<string> | null
  readonly sort: ConversationSort
}

/** A contact and a number that write to each other. */
export interface ContactAccountPair {
  readonly contactId: ContactId
  readonly chatAccountId: ChatAccountId
}

/** A message that a receipt is about, by the ids that the receipt gives. */
export interface ReceiptTarget {
  readonly chatAccountId: ChatAccountId
  readonly reference: MessageId | null
  readonly providerMessageId: string
}

/** A conversation, and whom it is with. */
export interface ConversationWithContact {
  readonly conversation: Conversation
  readonly contact: ConversationContact
  /** What the contact can be written to by, as `waysTo` gives it. */
  readonly ways: ReadonlyArray<Recipient>
  /** Whose number it is held over; `null` where the number is not known any more. */
  readonly provider: string | null
}

/** A conversation, as far as it says who may be answered freely. */
export type ContactWindows = Pick<Conversation, "contactId" | "recipient" | "windowExpiresAt" | "otherWindows">

/** The conversations of the organization. What becomes of them with their contacts is `ContactConversations`, a port of crm. */
export class Conversations extends Context.Service<
  Conversations,
  TenantScoped<{
    readonly get: (id: ConversationId) => Effect.Effect<ConversationWithContact, NotFound>
    /** Locks conversations and reads them, to change them: other units of work that lock them wait until this one ends. Those that there are, in no order. */
    readonly lock: (
      ids: ReadonlyArray<ConversationId>
    ) => Effect.Effect<ReadonlyArray<Conversation>, never, Transaction>
    /**
     * Of each pair, the conversation that is not resolved, or else the one resolved last, to change them. Other units of work
     * that ask for one of these pairs wait until this one ends, also where there is no conversation yet. In no order.
     */
    readonly lockLatest: (
      pairs: ReadonlyArray<ContactAccountPair>
    ) => Effect.Effect<ReadonlyArray<Conversation>, never, Transaction>
    /**
     * As `lockLatest`, and with them, in one order, the conversations of those of the messages that end waits. Of these it says who waits.
     */
    readonly lockInvolved: (
      pairs: ReadonlyArray<ContactAccountPair>,
      receipted: ReadonlyArray<ReceiptTarget>
    ) => Effect.Effect<
      { readonly latest: ReadonlyArray<Conversation>; readonly waiting: ReadonlyArray<ConversationWait> },
      never,
      Transaction
    >
    /** In the order of the query; the key of a row is `conversationKey`. It may stop early, with where to look on. */
    readonly list: (
      query: ConversationQuery,
      slice: Slice
    ) => Effect.Effect<{
      readonly rows: ReadonlyArray<ConversationWithContact>
      readonly resume: ReadonlyArray<string> | null
    }>
    /** Those with these contacts over this number that have any window, whatever their status, in no order. */
    readonly windows: (
      chatAccountId: ChatAccountId,
      contactIds: ReadonlyArray<ContactId>
    ) => Effect.Effect<ReadonlyArray<ContactWindows>>
    /** Those of these contacts with whom a conversation over this number is not resolved. */
    readonly talking: (
      chatAccountId: ChatAccountId,
      contactIds: ReadonlyArray<ContactId>
    ) => Effect.Effect<ReadonlySet<ContactId>>
    /** Counts for this user; `null` counts nothing as theirs. */
    readonly counts: (me: UserId | null) => Effect.Effect<ConversationCounts>
    /** One unresolved conversation per pair at most. All or none. */
    readonly insert: (
      conversations: ReadonlyArray<Conversation>
    ) => Effect.Effect<void, ConversationExists, Transaction>
    /** Stores conversations that were locked in this unit of work, with their versions raised by one. All or none. */
    readonly saveAll: (
      conversations: ReadonlyArray<Conversation>
    ) => Effect.Effect<ReadonlyArray<Conversation>, ConversationExists, Transaction>
  }>
>()("@parley/domain/messaging/inbox/Conversations") {}
