import { Context, type DateTime, type Effect } from "effect"
import type { ContactId } from "../../crm/index.ts"
import type { NotFound, EncodedRow, Slice, TenantScoped, Transaction } from "../../kernel/index.ts"
import type { ChatAccountId, ReceiptStatus, Remedy, ReportedPricing } from "../chat/index.ts"
import type { ConversationContact } from "./Conversation.ts"
import type { ConversationId, Direction, Message, MessageId } from "./Message.ts"
import type { EndedWait } from "./waiting/Waits.ts"

/** Receipt for a message whose provider id is not known yet. */
export interface EarlyReceipt {
  readonly providerMessageId: string
  readonly status: ReceiptStatus
  readonly at: DateTime.Utc
  readonly error: { readonly code: number; readonly reason: string; readonly remedy: Remedy } | null
  readonly pricing?: ReportedPricing
}

/** Filters of messages; `null` matches all. */
export interface MessageQuery {
  /** Prefixes of terms in the message, as returned by `querySearchTokens`. */
  readonly words: ReadonlyArray<string>
  readonly conversationId: ConversationId | null
  readonly contactId: ContactId | null
  readonly direction: Direction | null
  readonly from: DateTime.Utc | null
  /** End of the range, exclusive. */
  readonly to: DateTime.Utc | null
}

/** Found messages. The result can be shorter than requested although more exist, because a search has a limited duration. */
export interface FoundMessages {
  readonly rows: ReadonlyArray<{ readonly message: Message; readonly contact: ConversationContact }>
  /** Key after which the search continues; `null` if it is complete or the requested number was found. */
  readonly resume: ReadonlyArray<string> | null
}

/** Messages of the organization's conversations. */
export class Messages extends Context.Service<
  Messages,
  TenantScoped<{
    readonly get: (conversationId: ConversationId, id: MessageId) => Effect.Effect<Message, NotFound>
    /** Newest first by `at`; the key of a row is its `at`, as written, and its id. */
    readonly list: (conversationId: ConversationId, slice: Slice) => Effect.Effect<ReadonlyArray<Message>>
    /** Lists like `list`, with messages encoded for responses. */
    readonly render: (conversationId: ConversationId, slice: Slice) => Effect.Effect<ReadonlyArray<EncodedRow<Message>>>
    /** Times of automation and workflow messages to the contact since then, in all conversations, latest first. The number is limited. */
    readonly automatedSince: (
      contactId: ContactId,
      since: DateTime.Utc,
      limit: number
    ) => Effect.Effect<ReadonlyArray<DateTime.Utc>>
    /** Lists by id, which is the order of arrival, latest first. The key of a row is its id. */
    readonly search: (query: MessageQuery, slice: Slice) => Effect.Effect<FoundMessages>
    /**
     * Updates the stored search terms of the next `limit` messages to the current folding. Returns whether more remain. New messages are stored in
     * the current folding.
     */
    readonly refold: (limit: number) => Effect.Effect<boolean, never, Transaction>
    /** Locks and reads messages of this account by Parley's ids, for a change. In no order. */
    readonly lock: (
      chatAccountId: ChatAccountId,
      ids: ReadonlyArray<MessageId>
    ) => Effect.Effect<ReadonlyArray<Message>, never, Transaction>
    /** Locks like `lock`, by the provider's ids. */
    readonly lockByProvider: (
      chatAccountId: ChatAccountId,
      providerMessageIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<Message>, never, Transaction>
    /**
     * Stores new messages, except for messages whose provider id is already known on this account. Returns the stored ones. `answered` is the
     * provider id of an answered message that is still unknown. The link is set when the conversation contains that message. A message of the
     * kind `edit`, or `revocation`, names its target. The target is shown as edited, or revoked, when its conversation contains that message.
     */
    readonly insert: (
      chatAccountId: ChatAccountId,
      messages: ReadonlyArray<Message>,
      answered?: ReadonlyMap<MessageId, string>
    ) => Effect.Effect<ReadonlyArray<MessageId>, never, Transaction>
    /**
     * Stores recipient, status, error, price, provider id and times of messages that were locked in this unit of work. It also stores their ended
     * waits from `endings`, as `Waits.save` does.
     */
    readonly saveAll: (
      chatAccountId: ChatAccountId,
      messages: ReadonlyArray<Message>,
      endings?: ReadonlyMap<MessageId, EndedWait | null>
    ) => Effect.Effect<void, never, Transaction>
    /**
     * Stores receipts for unknown messages, except for messages that are known by now. Returns the number of stored ones. It excludes concurrent
     * removals of the account's receipts until the unit of work ends.
     */
    readonly storeEarly: (
      chatAccountId: ChatAccountId,
      receipts: ReadonlyArray<EarlyReceipt>,
      now: DateTime.Utc
    ) => Effect.Effect<number, never, Transaction>
    /** Removes and returns the stored receipts of these messages, in no order. Call it before a message gets its provider id. */
    readonly removeEarly: (
      chatAccountId: ChatAccountId,
      providerMessageIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<EarlyReceipt>, never, Transaction>
  }>
>()("@parley/domain/messaging/inbox/Messages") {}
