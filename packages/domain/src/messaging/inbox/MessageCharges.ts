import { Context, type DateTime, type Effect } from "effect"
import type { LocalDate, TenantScoped, Transaction } from "../../kernel/index.ts"
import type { ChatAccountId } from "../chat/index.ts"
import type { ConversationId, MessageId } from "./Message.ts"

/** Pricing facts of a delivered message, without contact data. Category and type are the provider's, in lower case with underscores. */
export interface MessageCharge {
  readonly chatAccountId: ChatAccountId
  readonly providerMessageId: string
  /** `null` for messages that were not sent by Parley. */
  readonly messageId: MessageId | null
  /** ISO 3166 code of the recipient's country; `null` if unknown. */
  readonly country: string | null
  readonly category: string | null
  readonly type: string | null
  readonly billable: boolean | null
  /** Earliest known time at which the message was delivered. */
  readonly deliveredAt: DateTime.Utc
  /** Time of the receipt with the applicable pricing. */
  readonly pricedAt: DateTime.Utc
}

/** Charged messages to count. */
export type ChargeSelection =
  | {
      readonly kind: "period"
      readonly from: DateTime.Utc
      /** Exclusive end. */
      readonly to: DateTime.Utc
      readonly chatAccountId: ChatAccountId | null
    }
  /** Messages with ids in this range, both inclusive. */
  | { readonly kind: "messages"; readonly first: MessageId; readonly last: MessageId }
  | { readonly kind: "conversation"; readonly conversationId: ConversationId }

/** Number of charged messages with equal facts. */
export interface ChargeTally extends Pick<
  MessageCharge,
  "chatAccountId" | "country" | "category" | "type" | "billable"
> {
  /** Index of the last requested start that is not after the delivery; -1 before the first one. */
  readonly range: number
  /** Day of delivery in UTC, which decides the rate. */
  readonly rateDay: LocalDate
  readonly messages: number
}

/** Resources whose charged messages are counted separately. */
export type ChargedResources =
  | { readonly kind: "messages"; readonly ids: ReadonlyArray<MessageId> }
  | { readonly kind: "conversations"; readonly ids: ReadonlyArray<ConversationId> }

/** Number of charged messages of one resource with equal facts. */
export interface ResourceChargeTally extends Omit<ChargeTally, "range"> {
  readonly resourceId: MessageId | ConversationId
}

/** Pricing facts of the organization's delivered messages. They outlive messages, conversations and contacts. */
export class MessageCharges extends Context.Service<
  MessageCharges,
  TenantScoped<{
    /** Stores facts, one row for each message of the provider. A known message is combined as by `combineCharges`. */
    readonly record: (charges: ReadonlyArray<MessageCharge>) => Effect.Effect<void, never, Transaction>
    /** Counts charged messages by their facts and by ranges that begin at these ascending starts. In no order. */
    readonly tally: (
      selection: ChargeSelection,
      starts: ReadonlyArray<DateTime.Utc>
    ) => Effect.Effect<ReadonlyArray<ChargeTally>>
    /** Counts the charged messages of each resource. In no order. */
    readonly tallyEach: (resources: ChargedResources) => Effect.Effect<ReadonlyArray<ResourceChargeTally>>
  }>
>()("@parley/domain/messaging/inbox/MessageCharges") {}
