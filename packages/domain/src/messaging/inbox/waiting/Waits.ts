import { Context, type DateTime, type Effect } from "effect"
import type { ChatAccountId } from "../../chat/index.ts"
import type { ContactId } from "../../../crm/index.ts"
import type { TenantScoped, Transaction } from "../../../kernel/index.ts"
import type { ConversationId, MessageId } from "../Ids.ts"
import type { Message } from "../Message.ts"
import type { Stretch } from "./Stretch.ts"
import type { Answer, Ending, Waiting } from "./Waiting.ts"

/** A message and who waits in its conversation, of which both are locked. */
export interface HeldMessage {
  readonly message: Message
  readonly waiting: Waiting
}

/** Who waits for an answer in which conversation, and how long each one has waited. */
export class Waits extends Context.Service<
  Waits,
  TenantScoped<{
    /** Locks conversations, then a message of each, and reads both: those of which both are there, in no order. */
    readonly lockMessages: (
      chatAccountId: ChatAccountId,
      of: ReadonlyArray<{ readonly conversationId: ConversationId; readonly messageId: MessageId }>
    ) => Effect.Effect<ReadonlyArray<HeldMessage>, never, Transaction>
    /** The answers of each conversation that were accepted then or later, in no order. */
    readonly answers: (
      of: ReadonlyArray<{ readonly conversationId: ConversationId; readonly from: DateTime.Utc }>
    ) => Effect.Effect<ReadonlyArray<Answer>>
    /**
     * Stores who waits in conversations that were locked in this unit of work, and what messages have ended. Versions stay: the team has changed
     * nothing.
     */
    readonly save: (
      waiting: ReadonlyArray<Waiting>,
      endings: ReadonlyMap<MessageId, Ending | null>
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
    readonly stretches: (conversationId: ConversationId) => Effect.Effect<ReadonlyArray<Stretch>>
  }>
>()("@parley/domain/messaging/inbox/Waits") {}
