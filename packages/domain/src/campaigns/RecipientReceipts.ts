import { Context, type DateTime, type Effect } from "effect"
import type { ChatAccountId } from "../messaging/chat/index.ts"
import type { MessageError } from "../messaging/inbox/index.ts"
import type { TenantScoped, Transaction } from "../kernel/index.ts"
import type { BroadcastStats } from "./BroadcastStats.ts"
import type { BroadcastId, RecipientId } from "./Ids.ts"
import type { RecipientStatus } from "./RecipientStatus.ts"

/** A recipient, as far as receipts are concerned. */
export interface CalledRecipient {
  readonly id: RecipientId
  readonly broadcastId: BroadcastId
  readonly seq: number
  readonly status: RecipientStatus
  readonly providerMessageId: string | null
  readonly error: MessageError | null
  /** When it was taken in hand, if ever. */
  readonly calledAt: DateTime.Utc | null
  readonly sentAt: DateTime.Utc | null
  readonly deliveredAt: DateTime.Utc | null
  readonly readAt: DateTime.Utc | null
  readonly failedAt: DateTime.Utc | null
}

/** A recipient before and after what receipts told. */
export interface MovedRecipient {
  readonly before: CalledRecipient
  readonly after: CalledRecipient
}

/** A broadcast of which recipients have moved. */
export interface ProgressedBroadcast {
  readonly broadcastId: BroadcastId
  readonly stats: BroadcastStats
  /** When `broadcast.progressed` was told last. */
  readonly toldAt: DateTime.Utc | null
}

/** What receipts tell of the organization's recipients. */
export class RecipientReceipts extends Context.Service<
  RecipientReceipts,
  TenantScoped<{
    /**
     * The recipients with these ids of broadcasts over this account, locked with what is in hand of them, in one order; others are
     * left out.
     */
    readonly lock: (
      chatAccountId: ChatAccountId,
      ids: ReadonlyArray<RecipientId>
    ) => Effect.Effect<ReadonlyArray<CalledRecipient>, never, Transaction>
    /**
     * Stores recipients that were locked in this unit of work, with the statistics of their broadcasts. One that was in hand is not any
     * more, so that what its call answers later changes nothing.
     */
    readonly save: (
      moved: ReadonlyArray<MovedRecipient>
    ) => Effect.Effect<ReadonlyArray<ProgressedBroadcast>, never, Transaction>
  }>
>()("@parley/domain/campaigns/RecipientReceipts") {}
