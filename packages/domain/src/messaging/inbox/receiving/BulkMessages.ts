import { Context, Effect, Layer } from "effect"
import type { ContactId } from "../../../crm/index.ts"
import { type Tenancy, type TenantScoped, type Transaction, withContext } from "../../../kernel/index.ts"
import type { ChatAccountId } from "../../chat/index.ts"
import type { ConversationId, Message, MessageId } from "../Message.ts"
import type { EarlyReceipt } from "../Messages.ts"
import { mergeOptKeywords, noOptKeywords, type OptKeywords, type KeywordMeaning } from "./optOutKeywords.ts"

/** Receipt with Parley's message id that it names. */
export interface ReferringReceipt extends EarlyReceipt {
  readonly chatAccountId: ChatAccountId
  readonly reference: MessageId
}

/** Receipts that an area claims for its own messages. */
export interface ClaimedReceipts<R = never> {
  /** Message ids of the area. Receipts for these ids do not wait for a message of a conversation. */
  readonly references: ReadonlySet<MessageId>
  /** Stores the content of the receipts, after everything else of the unit of work. */
  readonly store: Effect.Effect<void, never, R>
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

/** Messages that another area sends outside of conversations. */
export interface BulkMessage<R> {
  /**
   * Finds and locks the area's messages that the receipts name. Lock order: conversations, then these, then messages of conversations with the same
   * ids.
   */
  readonly take: (
    receipts: ReadonlyArray<ReferringReceipt>
  ) => Effect.Effect<ClaimedReceipts<R | Tenancy | Transaction>, never, R | Tenancy | Transaction>
  /** The organization's own keywords for opt-out and opt-in. */
  readonly words: Effect.Effect<OptKeywords, never, R | Tenancy>
  /** Processes incoming messages for the area after they are stored with their conversations. Returns the confirmations to send. */
  readonly answer: (
    answers: ReadonlyArray<InboundAnswer>
  ) => Effect.Effect<ReadonlyArray<Confirmation>, never, R | Tenancy | Transaction>
}

type BulkMessageServices<Each> = Each extends BulkMessage<infer R> ? Exclude<R, Tenancy | Transaction> : never

/** Messages that other areas send outside of conversations. */
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

/** Combines the areas that send outside of conversations. */
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
