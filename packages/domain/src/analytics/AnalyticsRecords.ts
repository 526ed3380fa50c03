import { Context, type DateTime, type Effect } from "effect"
import type { ChatAccountId } from "../chat/index.ts"
import type { ContactId } from "../crm/index.ts"
import type { ConversationId, Message, MessageAuthor, MessageId, Stretch } from "../inbox/index.ts"
import type { TenantScoped } from "../kernel/index.ts"

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
  readonly stretches: ReadonlyArray<Stretch>
  readonly firstReply: FirstReply | null
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
  }>
>()("@parley/domain/analytics/AnalyticsRecords") {}
