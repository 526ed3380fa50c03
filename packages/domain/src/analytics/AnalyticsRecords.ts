import { Context, type DateTime, type Effect } from "effect"
import type { ChatAccountId } from "../chat/index.ts"
import type { ContactId } from "../crm/index.ts"
import type { Message, MessageId } from "../inbox/index.ts"
import type { TenantScoped } from "../kernel/index.ts"

/** A message, as far as it is counted. */
export interface MessageRecord extends Pick<Message, "direction" | "kind" | "author" | "status"> {
  readonly id: MessageId
  readonly chatAccountId: ChatAccountId
  readonly at: DateTime.Utc
  readonly sentAt: DateTime.Utc | null
  readonly deliveredAt: DateTime.Utc | null
  readonly readAt: DateTime.Utc | null
  readonly failedAt: DateTime.Utc | null
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
  }>
>()("@parley/domain/analytics/AnalyticsRecords") {}
