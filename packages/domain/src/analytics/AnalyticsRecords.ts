import { Context, type DateTime, type Effect } from "effect"
import type { BroadcastId } from "../campaigns/index.ts"
import type { GrossChange, StoredOrder, OrderId, StoreCustomerId } from "../commerce/index.ts"
import type { ContactId } from "../crm/index.ts"
import type { Currency, TenantScoped } from "../kernel/index.ts"
import type { ChatAccountId } from "../messaging/chat/index.ts"
import type { ConversationId, Message, MessageAuthor, MessageId, Episode } from "../messaging/inbox/index.ts"
import type { RollupVersion, RecordKey } from "./RollupStore.ts"
import type { QuarterHour } from "./Count.ts"

/** A message, as far as it is counted. */
export interface MessageRecord extends Pick<Message, "direction" | "kind" | "author" | "status"> {
  readonly id: MessageId
  readonly conversationId: ConversationId
  readonly chatAccountId: ChatAccountId
  readonly at: DateTime.Utc
  readonly sentAt: DateTime.Utc | null
  readonly deliveredAt: DateTime.Utc | null
  readonly readAt: DateTime.Utc | null
  readonly failedAt: DateTime.Utc | null
  /** Since when somebody had waited whose wait it has ended, as long as it is accepted; `null` where nobody had. */
  readonly endedWaitSince: DateTime.Utc | null
}

/** What a person first answered to somebody who waited. */
export interface FirstReply {
  readonly author: MessageAuthor
  readonly acceptedAt: DateTime.Utc
  readonly endedWaitSince: DateTime.Utc
}

/** A conversation, as far as it is counted. */
export interface ConversationRecord {
  readonly id: ConversationId
  readonly chatAccountId: ChatAccountId
  readonly isOpen: boolean
  readonly isWaiting: boolean
  /** The first one first. */
  readonly stretches: ReadonlyArray<Episode>
  readonly firstReply: FirstReply | null
}

/** How many recipients of a broadcast were accepted in a quarter hour, what became of them since, and how many failed in it. */
export interface BroadcastOutcome {
  readonly quarter: QuarterHour
  readonly sent: number
  readonly delivered: number
  readonly read: number
  readonly replied: number
  readonly failed: number
}

/** A broadcast, as far as its recipients are counted. */
export interface BroadcastRecord {
  readonly id: BroadcastId
  readonly chatAccountId: ChatAccountId | null
  readonly outcomes: ReadonlyArray<BroadcastOutcome>
}

/** What the recipients of a broadcast come to, whenever. */
export interface BroadcastTotals extends Omit<BroadcastOutcome, "quarter"> {
  readonly id: BroadcastId
}

/** An order, as far as it is counted. */
export interface CountedOrder extends Pick<StoredOrder, "id" | "gross"> {
  readonly isTest: boolean
  readonly placedAt: DateTime.Utc
  readonly cancelledAt: DateTime.Utc | null
  readonly currency: Currency
  readonly refunds: ReadonlyArray<GrossChange>
  /** What was given back in all, whether the refunds tell all of it or not. */
  readonly givenBack: number
  /** The broadcast that its contact has read or answered last before it was placed, if the message was not accepted too long before. */
  readonly touchedBy: BroadcastId | null
  /** The broadcast that keeps the credit, because nobody knows any more who has placed it. */
  readonly creditKept: BroadcastId | null
}

/** The records of other areas, as they are counted. */
export class AnalyticsRecords extends Context.Service<
  AnalyticsRecords,
  TenantScoped<{
    /** Those of these messages that there are, in no order. */
    readonly messages: (ids: ReadonlyArray<MessageId>) => Effect.Effect<ReadonlyArray<MessageRecord>>
    /** The messages of the conversations with these contacts, in the order of their ids: up to `limit` of those after `after`. */
    readonly messagesWith: (
      contactIds: ReadonlyArray<ContactId>,
      after: MessageId | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<MessageRecord>>
    /** The answers that have ended a wait in the conversations of these messages: one of them gets the wait that a failed one had ended. */
    readonly answersBeside: (ids: ReadonlyArray<MessageId>) => Effect.Effect<ReadonlyArray<MessageId>>
    /** Whom these conversations, and all conversations of these contacts, are with. */
    readonly owners: (
      conversationIds: ReadonlyArray<ConversationId>,
      contactIds: ReadonlyArray<ContactId>
    ) => Effect.Effect<ReadonlyMap<ConversationId, ContactId>>
    /** Those of these conversations that there are, in no order. */
    readonly conversations: (ids: ReadonlyArray<ConversationId>) => Effect.Effect<ReadonlyArray<ConversationRecord>>
    /** The conversations with these contacts, in the order of their ids: up to `limit` of those after `after`. */
    readonly conversationsWith: (
      contactIds: ReadonlyArray<ContactId>,
      after: ConversationId | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<ConversationRecord>>
    /** Those of these broadcasts whose recipients are kept yet, in no order. */
    readonly broadcasts: (
      ids: ReadonlyArray<BroadcastId>,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<BroadcastRecord>>
    /** The broadcasts that have begun and whose recipients are kept yet, with what they come to by their statistics, in no order. */
    readonly broadcastTotals: (now: DateTime.Utc) => Effect.Effect<ReadonlyArray<BroadcastTotals>>
    /** Those of these orders that there are, in no order. A message counts as a touch for so many hours after its acceptance. */
    readonly orders: (
      ids: ReadonlyArray<OrderId>,
      attributionHours: number
    ) => Effect.Effect<ReadonlyArray<CountedOrder>>
    /** The origin of each of these orders: the same for the same order of the same shop, also after the store is removed and connected again. */
    readonly origins: (ids: ReadonlyArray<OrderId>) => Effect.Effect<ReadonlyMap<OrderId, RecordKey>>
    /** The orders of these customers of stores, and of these contacts, in no order. */
    readonly ordersOf: (
      customerIds: ReadonlyArray<StoreCustomerId>,
      contactIds: ReadonlyArray<ContactId>
    ) => Effect.Effect<ReadonlyArray<OrderId>>
    /**
     * The orders of recipients of these broadcasts that have another credit by now than this edition has counted, in no order: because one of them was read
     * or answered before, or had the credit.
     */
    readonly ordersTouchedBy: (
      broadcastIds: ReadonlyArray<BroadcastId>,
      attributionHours: number,
      edition: RollupVersion
    ) => Effect.Effect<ReadonlyArray<OrderId>>
    /** All orders, in the order of their ids: up to `limit` of those after `after`. With `since` only those of contacts that were placed then or later. */
    readonly ordersAfter: (
      after: OrderId | null,
      limit: number,
      since: DateTime.Utc | null
    ) => Effect.Effect<ReadonlyArray<OrderId>>
  }>
>()("@parley/domain/analytics/AnalyticsRecords") {}
