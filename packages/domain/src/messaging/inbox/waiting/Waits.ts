import { Context, type DateTime, type Effect } from "effect"
import type { ContactId } from "../../../crm/index.ts"
import type { TenantScoped, Transaction } from "../../../kernel/index.ts"
import type { ChatAccountId } from "../../chat/index.ts"
import type { Conversation, Episode } from "../Conversation.ts"
import type { ConversationId, Message, MessageId } from "../Message.ts"

/** Who waits for whom in a conversation. */
export type ConversationWait = Pick<
  Conversation,
  "id" | "waitingSince" | "firstRepliedAt" | "firstReplyId" | "waitRound"
>

/** What an answer has ended by being accepted, kept with its message. */
export interface EndedWait {
  /** The round of the conversation in which it was accepted. */
  readonly round: number
  /** Since when the contact had waited; `null` where nobody did. */
  readonly since: DateTime.Utc | null
}

/** A message that ends waits and was accepted. */
export interface AcceptedAnswer extends EndedWait {
  readonly conversationId: ConversationId
  readonly messageId: MessageId
  readonly acceptedAt: DateTime.Utc
  readonly byPerson: boolean
}

/** What becomes of a conversation's waits, and of what its messages have ended: `null` is nothing any more. */
export interface WaitChange {
  readonly waiting: ConversationWait
  readonly endings: ReadonlyMap<MessageId, EndedWait | null>
}

/** A message and who waits in its conversation, of which both are locked. */
export interface LockedMessage {
  readonly message: Message
  readonly waiting: ConversationWait
}

/** Who waits for an answer in which conversation, and how long each one has waited. */
export class Waits extends Context.Service<
  Waits,
  TenantScoped<{
    /** Locks conversations, then a message of each, and reads both: those of which both are there, in no order. */
    readonly lockMessages: (
      chatAccountId: ChatAccountId,
      of: ReadonlyArray<{ readonly conversationId: ConversationId; readonly messageId: MessageId }>
    ) => Effect.Effect<ReadonlyArray<LockedMessage>, never, Transaction>
    /** The answers of each conversation that were accepted then or later, in no order. */
    readonly answers: (
      of: ReadonlyArray<{ readonly conversationId: ConversationId; readonly from: DateTime.Utc }>
    ) => Effect.Effect<ReadonlyArray<AcceptedAnswer>>
    /**
     * Stores who waits in conversations that were locked in this unit of work, and what messages have ended. Versions stay: the team has changed
     * nothing.
     */
    readonly save: (
      waiting: ReadonlyArray<ConversationWait>,
      endings: ReadonlyMap<MessageId, EndedWait | null>
    ) => Effect.Effect<void, never, Transaction>
    /** Nobody waits any more in the unresolved conversations of the contact. Says in which somebody did. */
    readonly drop: (
      contactId: ContactId
    ) => Effect.Effect<
      ReadonlyArray<{ readonly id: ConversationId; readonly chatAccountId: ChatAccountId }>,
      never,
      Transaction
    >
    /** All stretches of a conversation, the first one first. */
    readonly stretches: (conversationId: ConversationId) => Effect.Effect<ReadonlyArray<Episode>>
  }>
>()("@parley/domain/messaging/inbox/Waits") {}
