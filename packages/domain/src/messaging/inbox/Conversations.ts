import { Context, type DateTime, type Effect } from "effect"
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
 * Order of a list: by last activity or by start, with a minus for descending. Or by longest wait, or by urgency; conversations of equal rank sort by
 * `-lastActivityAt`.
 */
export type ConversationSort =
  | "-lastActivityAt"
  | "lastActivityAt"
  | "-createdAt"
  | "createdAt"
  | "waitingSince"
  | "priority"

/** Filters of conversations; `null` matches all. */
export interface ConversationQuery {
  readonly statuses: ReadonlyArray<ConversationStatus> | null
  readonly assignee: UserId | "none" | null
  /** Whether unread messages exist. */
  readonly unread: boolean | null
  /** Whether the contact waits for an answer. */
  readonly awaitingReply: boolean | null
  readonly priorities: ReadonlyArray<Priority> | null
  /** Matches any of these labels. */
  readonly labels: ReadonlyArray<string> | null
  readonly chatAccountId: ChatAccountId | null
  readonly contactId: ContactId | null
  /** Prefixes of terms in a message of the conversation, in lower case. */
  readonly words: ReadonlyArray<string> | null
  readonly sort: ConversationSort
}

/** Pair of a contact and a number. */
export interface ContactAccountPair {
  readonly contactId: ContactId
  readonly chatAccountId: ChatAccountId
}

/** Message that a receipt is about, by the ids in the receipt. */
export interface ReceiptTarget {
  readonly chatAccountId: ChatAccountId
  readonly reference: MessageId | null
  readonly providerMessageId: string
}

/** Conversation with its contact. */
export interface ConversationWithContact {
  readonly conversation: Conversation
  readonly contact: ConversationContact
  /** Identities of the contact that accept messages, as returned by `recipientIdentities`. */
  readonly ways: ReadonlyArray<Recipient>
  /** Provider of the conversation's number; `null` if the number is unknown. */
  readonly provider: string | null
  /** Latest end of a free entry point that the prices of its messages contain. */
  readonly freeEntryPointExpiresAt: DateTime.Utc | null
}

/** Fields of a conversation that determine free-form recipients. */
export type ContactWindows = Pick<Conversation, "contactId" | "recipient" | "windowExpiresAt" | "otherWindows">

/** Conversations of the organization. Their changes with contacts are in `ContactConversations`, which implements a port of crm. */
export class Conversations extends Context.Service<
  Conversations,
  TenantScoped<{
    readonly get: (id: ConversationId) => Effect.Effect<ConversationWithContact, NotFound>
    /**
     * Locks and reads conversations for a change. Other units of work that lock them wait until this one ends. Returns existing ones, in no order.
     */
    readonly lock: (
      ids: ReadonlyArray<ConversationId>
    ) => Effect.Effect<ReadonlyArray<Conversation>, never, Transaction>
    /** Locks and reads like `lock`, without the conversations that another unit of work has locked. It never waits. */
    readonly lockFree: (
      ids: ReadonlyArray<ConversationId>
    ) => Effect.Effect<ReadonlyArray<Conversation>, never, Transaction>
    /**
     * Locks and reads the unresolved conversation of each pair, or else the one resolved last. Other units of work with one of these pairs wait until
     * this one ends, even without a conversation. In no order.
     */
    readonly lockLatest: (
      pairs: ReadonlyArray<ContactAccountPair>
    ) => Effect.Effect<ReadonlyArray<Conversation>, never, Transaction>
    /** Locks like `lockLatest`, and in the same order the conversations of the messages that end waits. Returns the waits of the latter. */
    readonly lockInvolved: (
      pairs: ReadonlyArray<ContactAccountPair>,
      receipted: ReadonlyArray<ReceiptTarget>
    ) => Effect.Effect<
      { readonly latest: ReadonlyArray<Conversation>; readonly waiting: ReadonlyArray<ConversationWait> },
      never,
      Transaction
    >
    /** Lists in the order of the query; the key of a row is `conversationCursorKey`. It can stop early and then returns the key to continue from. */
    readonly list: (
      query: ConversationQuery,
      slice: Slice
    ) => Effect.Effect<{
      readonly rows: ReadonlyArray<ConversationWithContact>
      readonly resume: ReadonlyArray<string> | null
    }>
    /** Returns conversations of these contacts over this number that have any window, in any status and no order. */
    readonly windows: (
      chatAccountId: ChatAccountId,
      contactIds: ReadonlyArray<ContactId>
    ) => Effect.Effect<ReadonlyArray<ContactWindows>>
    /** Returns the contacts with an unresolved conversation over this number. */
    readonly talking: (
      chatAccountId: ChatAccountId,
      contactIds: ReadonlyArray<ContactId>
    ) => Effect.Effect<ReadonlySet<ContactId>>
    /** Counts for this user; `null` counts no conversation as assigned to the user. */
    readonly counts: (me: UserId | null) => Effect.Effect<ConversationCounts>
    /** Stores all or none. A pair has at most one unresolved conversation. */
    readonly insert: (
      conversations: ReadonlyArray<Conversation>
    ) => Effect.Effect<void, ConversationExists, Transaction>
    /** Stores all or none, with versions raised by one. The conversations must be locked in this unit of work. */
    readonly saveAll: (
      conversations: ReadonlyArray<Conversation>
    ) => Effect.Effect<ReadonlyArray<Conversation>, ConversationExists, Transaction>
    /**
     * Stores the recipient, the read count, the last message and its times after messages of the team, with versions raised by one. The conversations
     * must be locked in this unit of work, and their other fields are unchanged.
     */
    readonly saveWritten: (conversations: ReadonlyArray<Conversation>) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/messaging/inbox/Conversations") {}
