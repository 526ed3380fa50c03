import { Context, type DateTime, type Effect } from "effect"
import type { ContactId } from "../../../crm/index.ts"
import type { TenantScoped, Transaction } from "../../../kernel/index.ts"
import type { ChatAccountId } from "../../chat/index.ts"
import type { Conversation, Episode } from "../Conversation.ts"
import type { ConversationId, Message, MessageId } from "../Message.ts"

/** Wait in a conversation. */
export type ConversationWait = Pick<
  Conversation,
  "id" | "waitingSince" | "firstRepliedAt" | "firstReplyId" | "waitRound"
>

/** Wait that an accepted answer has ended, stored with its message. */
export interface EndedWait {
  /** Round of the conversation with the accepted answer. */
  readonly round: number
  /** Start of the ended wait; `null` if no wait existed. */
  readonly since: DateTime.Utc | null
}

/** Accepted message that ends waits. */
export interface AcceptedAnswer extends EndedWait {
  readonly conversationId: ConversationId
  readonly messageId: MessageId
  readonly acceptedAt: DateTime.Utc
  readonly byPerson: boolean
}

/** Change of a conversation's wait, and of the waits that its messages ended. `null` means that a message ends no wait any more. */
export interface WaitChange {
  readonly waiting: ConversationWait
  readonly endings: ReadonlyMap<MessageId, EndedWait | null>
}

/** Message and the wait of its conversation; both are locked. */
export interface LockedMessage {
  readonly message: Message
  readonly waiting: ConversationWait
}

/** Current and ended waits of conversations. */
export class Waits extends Context.Service<
  Waits,
  TenantScoped<{
    /** Locks conversations, then one message of each, and reads both. Returns only pairs where both exist, in no order. */
    readonly lockMessages: (
      chatAccountId: ChatAccountId,
      of: ReadonlyArray<{ readonly conversationId: ConversationId; readonly messageId: MessageId }>
    ) => Effect.Effect<ReadonlyArray<LockedMessage>, never, Transaction>
    /** Returns the answers of each conversation that were accepted at that time or later, in no order. */
    readonly answers: (
      of: ReadonlyArray<{ readonly conversationId: ConversationId; readonly from: DateTime.Utc }>
    ) => Effect.Effect<ReadonlyArray<AcceptedAnswer>>
    /**
     * Stores waits of conversations that were locked in this unit of work, and the waits that messages ended. Versions stay, because the team has
     * changed nothing.
     */
    readonly save: (
      waiting: ReadonlyArray<ConversationWait>,
      endings: ReadonlyMap<MessageId, EndedWait | null>
    ) => Effect.Effect<void, never, Transaction>
    /** Ends the waits in the unresolved conversations of the contact. Returns the conversations that had a wait. */
    readonly drop: (
      contactId: ContactId
    ) => Effect.Effect<
      ReadonlyArray<{ readonly id: ConversationId; readonly chatAccountId: ChatAccountId }>,
      never,
      Transaction
    >
    /** Returns all episodes of a conversation, oldest first. */
    readonly episodes: (conversationId: ConversationId) => Effect.Effect<ReadonlyArray<Episode>>
  }>
>()("@parley/domain/messaging/inbox/Waits") {}
