import { Context, type DateTime, type Effect } from "effect"
import type { BroadcastId } from "../campaigns/index.ts"
import type { GrossChange, StoredOrder, OrderId, StoreCustomerId } from "../commerce/index.ts"
import type { ContactId } from "../crm/index.ts"
import type { Currency, TenantScoped } from "../kernel/index.ts"
import type { ChatAccountId } from "../messaging/chat/index.ts"
import type { ConversationId, Message, MessageAuthor, MessageId, Episode } from "../messaging/inbox/index.ts"
import type { RollupVersion, RecordKey } from "./RollupStore.ts"
import type { QuarterHour } from "./Count.ts"

/** Fields of a message for its counts. */
export interface MessageRecord extends Pick<Message, "direction" | "kind" | "author" | "status"> {
  readonly id: MessageId
  readonly conversationId: ConversationId
  readonly chatAccountId: ChatAccountId
  readonly at: DateTime.Utc
  readonly sentAt: DateTime.Utc | null
  readonly deliveredAt: DateTime.Utc | null
  readonly readAt: DateTime.Utc | null
  readonly failedAt: DateTime.Utc | null
  /** Start of the wait that this message ended while accepted; `null` if it ended none. */
  readonly endedWaitSince: DateTime.Utc | null
}

/** First answer of a member to a waiting contact. */
export interface FirstReply {
  readonly author: MessageAuthor
  readonly acceptedAt: DateTime.Utc
  readonly endedWaitSince: DateTime.Utc
}

/** Fields of a conversation for its counts. */
export interface ConversationRecord {
  readonly id: ConversationId
  readonly chatAccountId: ChatAccountId
  readonly isOpen: boolean
  readonly isWaiting: boolean
  /** Oldest first. */
  readonly episodes: ReadonlyArray<Episode>
  readonly firstReply: FirstReply | null
}

/** Recipients of a broadcast accepted in a quarter hour with their later results, and recipients that failed in it. */
export interface BroadcastOutcome {
  readonly quarter: QuarterHour
  readonly sent: number
  readonly delivered: number
  readonly read: number
  readonly replied: number
  readonly failed: number
}

/** A broadcast with the counts of its recipients. */
export interface BroadcastRecord {
  readonly id: BroadcastId
  readonly chatAccountId: ChatAccountId | null
  readonly outcomes: ReadonlyArray<BroadcastOutcome>
}

/** Counts of a broadcast's recipients over all time. */
export interface BroadcastTotals extends Omit<BroadcastOutcome, "quarter"> {
  readonly id: BroadcastId
}

/** Fields of an order for its counts. */
export interface CountedOrder extends Pick<StoredOrder, "id" | "gross"> {
  readonly isTest: boolean
  readonly placedAt: DateTime.Utc
  readonly cancelledAt: DateTime.Utc | null
  readonly currency: Currency
  readonly refunds: ReadonlyArray<GrossChange>
  /** Total refunded amount, including amounts without a refund record. */
  readonly givenBack: number
  /** Broadcast that the contact read or answered last before the order, if the message was accepted recently enough. */
  readonly touchedBy: BroadcastId | null
  /** Broadcast that keeps the attribution, because the customer of the order is no longer known. */
  readonly keptAttribution: BroadcastId | null
}

/** Records of other areas for their counts. */
export class AnalyticsRecords extends Context.Service<
  AnalyticsRecords,
  TenantScoped<{
    /** Returns the existing messages among these, in no order. */
    readonly messages: (ids: ReadonlyArray<MessageId>) => Effect.Effect<ReadonlyArray<MessageRecord>>
    /** Returns up to `limit` messages in conversations with these contacts, after `after`, in the order of their ids. */
    readonly messagesWith: (
      contactIds: ReadonlyArray<ContactId>,
      after: MessageId | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<MessageRecord>>
    /** Returns answers that ended a wait in the conversations of these messages. If an answer fails, another one gets the wait that it had ended. */
    readonly answersBeside: (ids: ReadonlyArray<MessageId>) => Effect.Effect<ReadonlyArray<MessageId>>
    /** Returns the contacts of these conversations and of all conversations with these contacts. */
    readonly owners: (
      conversationIds: ReadonlyArray<ConversationId>,
      contactIds: ReadonlyArray<ContactId>
    ) => Effect.Effect<ReadonlyMap<ConversationId, ContactId>>
    /** Returns the existing conversations among these, in no order. */
    readonly conversations: (ids: ReadonlyArray<ConversationId>) => Effect.Effect<ReadonlyArray<ConversationRecord>>
    /** Returns up to `limit` conversations with these contacts, after `after`, in the order of their ids. */
    readonly conversationsWith: (
      contactIds: ReadonlyArray<ContactId>,
      after: ConversationId | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<ConversationRecord>>
    /** Returns the broadcasts among these whose recipients are retained, in no order. */
    readonly broadcasts: (
      ids: ReadonlyArray<BroadcastId>,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<BroadcastRecord>>
    /** Returns the totals of started broadcasts whose recipients are retained, from their statistics, in no order. */
    readonly broadcastTotals: (now: DateTime.Utc) => Effect.Effect<ReadonlyArray<BroadcastTotals>>
    /** Returns the existing orders among these, in no order. A message counts as a touch for this many hours after its acceptance. */
    readonly orders: (
      ids: ReadonlyArray<OrderId>,
      attributionHours: number
    ) => Effect.Effect<ReadonlyArray<CountedOrder>>
    /** Returns the origin of each order. It stays the same for an order of a shop when the store is removed and connected again. */
    readonly origins: (ids: ReadonlyArray<OrderId>) => Effect.Effect<ReadonlyMap<OrderId, RecordKey>>
    /** Returns the orders of these store customers and these contacts, in no order. */
    readonly ordersOf: (
      customerIds: ReadonlyArray<StoreCustomerId>,
      contactIds: ReadonlyArray<ContactId>
    ) => Effect.Effect<ReadonlyArray<OrderId>>
    /**
     * Returns orders of these broadcasts' recipients whose attribution differs from this rollup version, in no order. A recipient read or answered
     * one of the broadcasts before the order, or the broadcast had the attribution.
     */
    readonly ordersTouchedBy: (
      broadcastIds: ReadonlyArray<BroadcastId>,
      attributionHours: number,
      version: RollupVersion
    ) => Effect.Effect<ReadonlyArray<OrderId>>
    /** Returns up to `limit` orders after `after`, in the order of their ids. `since` selects orders of contacts placed at that time or later. */
    readonly ordersAfter: (
      after: OrderId | null,
      limit: number,
      since: DateTime.Utc | null
    ) => Effect.Effect<ReadonlyArray<OrderId>>
  }>
>()("@parley/domain/analytics/AnalyticsRecords") {}
