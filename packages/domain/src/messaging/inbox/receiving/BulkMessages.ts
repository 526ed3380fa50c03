import { Context, Effect, Layer } from "effect"
import type { ContactId } from "../../../crm/index.ts"
import { type Tenancy, type TenantScoped, type Transaction, withContext } from "../../../kernel/index.ts"
import type { ChatAccountId } from "../../chat/index.ts"
import type { ConversationId, Message, MessageId } from "../Message.ts"
import type { EarlyReceipt } from "../Messages.ts"
import { mergeOptKeywords, noOptKeywords, type OptKeywords, type KeywordMeaning } from "./optOutKeywords.ts"

/** A receipt, and the id of ours that it names. */
export interface ReferringReceipt extends EarlyReceipt {
  readonly chatAccountId: ChatAccountId
  readonly reference: MessageId
}

/** What an area does about receipts for its messages. */
export interface ClaimedReceipts<R = never> {
  /** The ids that are those of its messages. They do not wait for a message of a conversation. */
  readonly references: ReadonlySet<MessageId>
  /** Stores what the receipts tell, once everything else of the unit of work is stored. */
  readonly store: Effect.Effect<void, never, R>
}

/** A message that came in, and may answer one that was sent outside of conversations. */
export interface InboundAnswer {
  readonly chatAccountId: ChatAccountId
  readonly contactId: ContactId
  readonly message: Message
  /** The provider's id of the message that it quotes. */
  readonly quoted: string | null
  readonly meaning: KeywordMeaning | null
  /** Whether the contact wants no more marketing by this message, and had not said so before. */
  readonly optsOut: boolean
}

/** A text that the service answers a message with by itself. */
export interface Confirmation {
  readonly conversationId: ConversationId
  readonly text: string
}

/** Messages that another area sends outside of conversations. */
export interface BulkMessage<R> {
  /**
   * Finds its own messages among those that the receipts name, and locks them: after conversations, and before messages of
   * conversations with the same ids.
   */
  readonly take: (
    receipts: ReadonlyArray<ReferringReceipt>
  ) => Effect.Effect<ClaimedReceipts<R | Tenancy | Transaction>, never, R | Tenancy | Transaction>
  /** The organization's words by which people want no more of them, or want them again. */
  readonly words: Effect.Effect<OptKeywords, never, R | Tenancy>
  /**
   * Does what follows for its own messages from those that came in, once these are stored, with their conversations; says what is to be
   * answered.
   */
  readonly answer: (
    answers: ReadonlyArray<InboundAnswer>
  ) => Effect.Effect<ReadonlyArray<Confirmation>, never, R | Tenancy | Transaction>
}

type BulkMessageServices<Each> = Each extends BulkMessage<infer R> ? Exclude<R, Tenancy | Transaction> : never

/** What other areas send outside of conversations. */
export class BulkMessages extends Context.Service<
  BulkMessages,
  TenantScoped<{
    readonly take: (
      receipts: ReadonlyArray<ReferringReceipt>
    ) => Effect.Effect<ClaimedReceipts<Tenancy | Transaction>, never, Transaction>
    readonly words: () => Effect.Effect<OptKeywords>
    readonly answer: (
      answers: ReadonlyArray<InboundAnswer>
    ) => Effect.Effect<ReadonlyArray<Confirmation>, never, Transaction>
  }>
>()("@parley/domain/messaging/inbox/BulkMessages") {}

/** Puts together what areas send outside of conversations. */
export const layerBulkMessagesOf = <Each extends BulkMessage<unknown>>(
  each: ReadonlyArray<Each>
): Layer.Layer<BulkMessages, never, BulkMessageServices<Each>> =>
  Layer.effect(
    BulkMessages,
    Effect.contextWith((outside: Context.Context<BulkMessageServices<Each>>) => {
      const reading = withContext<Tenancy>(outside)
      const within = withContext<Tenancy | Transaction>(outside)
      return Effect.succeed(
        BulkMessages.of({
          words: () =>
            Effect.map(
              Effect.forEach(each, ({ words }) => reading(words)),
              (lists) => lists.reduce(mergeOptKeywords, noOptKeywords)
            ),
          answer: (answers) =>
            Effect.map(
              Effect.forEach(each, ({ answer }) => within(answer(answers))),
              (confirmations) => confirmations.flat()
            ),
          take: Effect.fnUntraced(function* (receipts) {
            const taken = yield* Effect.forEach(each, ({ take }) => within(take(receipts)))
            return {
              references: new Set(taken.flatMap(({ references }) => [...references])),
              store: Effect.forEach(taken, ({ store }) => within(store), { discard: true })
            }
          })
        })
      )
    })
  )
