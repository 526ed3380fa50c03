import { Context, Effect, Layer } from "effect"
import type { ContactId } from "../../../crm/index.ts"
import type { TenantScoped, Transaction } from "../../../kernel/index.ts"
import type { ChatAccountId } from "../../chat/index.ts"
import type { ConversationId, Message, MessageId } from "../Message.ts"
import type { EarlyReceipt } from "../Messages.ts"
import { noOptKeywords, type OptKeywords, type KeywordMeaning } from "./optOutKeywords.ts"

/** Receipt with Parley's message id that it names. */
export interface ReferringReceipt extends Omit<EarlyReceipt, "status"> {
  readonly status: Exclude<EarlyReceipt["status"], "played">
  readonly chatAccountId: ChatAccountId
  readonly reference: MessageId
}

/** Receipts that an area claims for its own messages. */
export interface ClaimedReceipts {
  /** Message ids of the area. Receipts for these ids do not wait for a message of a conversation. */
  readonly references: ReadonlySet<MessageId>
  /** Stores the content of the receipts, after everything else of the unit of work. */
  readonly store: Effect.Effect<void>
}

/** Incoming message that can answer a message sent outside of conversations. */
export interface InboundAnswer {
  readonly chatAccountId: ChatAccountId
  readonly contactId: ContactId
  readonly message: Message
  /** The provider's id of the quoted message. */
  readonly quoted: string | null
  readonly meaning: KeywordMeaning | null
  /** Whether this message opts the contact out of marketing, with no earlier opt-out. */
  readonly optsOut: boolean
}

/** Automatic reply to a message. */
export interface Confirmation {
  readonly conversationId: ConversationId
  readonly text: string
}

/** Messages that an area above sends outside of conversations. */
export class BulkMessages extends Context.Service<
  BulkMessages,
  TenantScoped<{
    /**
     * Finds and locks the area's messages that the receipts name. Lock order: conversations, then these, then messages of conversations with the same
     * ids.
     */
    readonly take: (receipts: ReadonlyArray<ReferringReceipt>) => Effect.Effect<ClaimedReceipts, never, Transaction>
    /** The organization's own keywords for opt-out and opt-in. */
    readonly words: () => Effect.Effect<OptKeywords>
    /** Processes incoming messages for the area after they are stored with their conversations. Returns the confirmations to send. */
    readonly answer: (
      answers: ReadonlyArray<InboundAnswer>
    ) => Effect.Effect<ReadonlyArray<Confirmation>, never, Transaction>
  }>
>()("@parley/domain/messaging/inbox/BulkMessages") {
  /** No area sends outside of conversations. */
  static readonly layerNone = Layer.succeed(BulkMessages, {
    take: () => Effect.succeed({ references: new Set<MessageId>(), store: Effect.void }),
    words: () => Effect.succeed(noOptKeywords),
    answer: () => Effect.succeed([])
  })
}
