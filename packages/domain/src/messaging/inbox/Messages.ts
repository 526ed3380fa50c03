import { Context, type DateTime, type Effect } from "effect"
import type { ContactId } from "../../crm/index.ts"
import type { NotFound, EncodedRow, Slice, TenantScoped, Transaction } from "../../kernel/index.ts"
import type { ChatAccountId, Remedy, ReportedPricing } from "../chat/index.ts"
import type { ConversationContact } from "./Conversation.ts"
import type { ConversationId, Direction, Message, MessageId } from "./Message.ts"
import type { EndedWait } from "./waiting/Waits.ts"

/** A receipt of the provider for a message that is not known by the provider's id yet. */
export interface EarlyReceipt {
  readonly providerMessageId: string
  readonly status: "sent" | "delivered" | "read" | "failed"
  readonly at: DateTime.Utc
  readonly error: { readonly code: number; readonly reason: string; readonly remedy: Remedy } | null
  readonly pricing?: ReportedPricing
}

/** Which messages to look for; `null` is all of them. */
export interface MessageQuery {
  /** Words that the message has, each from its beginning, as `searchedWords` reads them. */
  readonly words: ReadonlyArray<string>
  readonly conversationId: ConversationId | null
  readonly contactId: ContactId | null
  readonly direction: Direction | null
  readonly from: DateTime.Utc | null
  /** The first time that is too late. */
  readonly to: DateTime.Utc | null
}

/** Messages that were found. They may be fewer than asked for although there are more, where looking on would take too long. */
export interface FoundMessages {
  readonly rows: ReadonlyArray<{ readonly message: Message; readonly contact: ConversationContact }>
  /** The key after which to look on; `null` if everything was looked through, or as much was found as was asked for. */
  readonly resume: ReadonlyArray<string> | null
}

/** The messages of the organization's conversations. */
export class Messages extends Context.Service<
  Messages,
  TenantScoped<{
    readonly get: (conversationId: ConversationId, id: MessageId) => Effect.Effect<Message, NotFound>
    /** Newest first by `at`; the key of a row is its `at`, as written, and its id. */
    readonly list: (conversationId: ConversationId, slice: Slice) => Effect.Effect<ReadonlyArray<Message>>
    /** As `list`, the messages as answers write them. */
    readonly render: (conversationId: ConversationId, slice: Slice) => Effect.Effect<ReadonlyArray<EncodedRow<Message>>>
    /** When automations and workflows have written to the contact since, in whatever conversation: the latest first, so many at most. */
    readonly automatedSince: (
      contactId: ContactId,
      since: DateTime.Utc,
      limit: number
    ) => Effect.Effect<ReadonlyArray<DateTime.Utc>>
    /** In the order of their ids, which are those of their coming: the last one first. The key of a row is its id. */
    readonly search: (query: MessageQuery, slice: Slice) => Effect.Effect<FoundMessages>
    /**
     * Brings the words that are stored for searches up to how texts are folded today, of the next `limit` messages; says whether there
     * are more. New messages are stored so at once.
     */
    readonly refold: (limit: number) => Effect.Effect<boolean, never, Transaction>
    /** Locks those of this account with one of these ids of ours and reads them, to change them. In no order. */
    readonly lock: (
      chatAccountId: ChatAccountId,
      ids: ReadonlyArray<MessageId>
    ) => Effect.Effect<ReadonlyArray<Message>, never, Transaction>
    /** As `lock`, those that the provider knows by one of these. */
    readonly lockByProvider: (
      chatAccountId: ChatAccountId,
      providerMessageIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<Message>, never, Transaction>
    /**
     * Stores new messages; those whose provider id is known on this account already are left out. Says which were stored.
     * Of those that answer a message nobody knows yet, `answered` is the provider's id of that one: they answer it from when
     * their conversation has it. A message is shown as edited, or revoked, from when its conversation has a message of the kind
     * `edit`, or `revocation`, that names it so.
     */
    readonly insert: (
      chatAccountId: ChatAccountId,
      messages: ReadonlyArray<Message>,
      answered?: ReadonlyMap<MessageId, string>
    ) => Effect.Effect<ReadonlyArray<MessageId>, never, Transaction>
    /**
     * Stores recipient, status, error, price, provider id and times of messages that were locked in this unit of work, and what those of them
     * have ended of which `endings` says so, as `Waits.save` does.
     */
    readonly saveAll: (
      chatAccountId: ChatAccountId,
      messages: ReadonlyArray<Message>,
      endings?: ReadonlyMap<MessageId, EndedWait | null>
    ) => Effect.Effect<void, never, Transaction>
    /**
     * Stores receipts for messages that nobody knows yet; those for one that is known by now are left out. Says how many it
     * has stored. It waits for those who have removed receipts of the account, and they for it, until the unit of work ends.
     */
    readonly storeEarly: (
      chatAccountId: ChatAccountId,
      receipts: ReadonlyArray<EarlyReceipt>,
      now: DateTime.Utc
    ) => Effect.Effect<number, never, Transaction>
    /** Removes the receipts that were stored for these messages and gives them, in no order: whoever gives one its provider id asks first. */
    readonly removeEarly: (
      chatAccountId: ChatAccountId,
      providerMessageIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<EarlyReceipt>, never, Transaction>
  }>
>()("@parley/domain/messaging/inbox/Messages") {}
