import { Context, type DateTime, Effect } from "effect"
import type { ContactId } from "../../crm/index.ts"
import type { TenantScoped, Transaction } from "../../kernel/index.ts"
import type { ChatAccountId, Recipient } from "../../messaging/chat/index.ts"
import { type ConversationId, type MessageError, MessageId } from "../../messaging/inbox/index.ts"
import type { VariantKey } from "../Broadcast.ts"
import { type BroadcastId, type RecipientId, recipientIdAt, recipientPrefix } from "../Ids.ts"
import type { SentValues } from "../RecipientLedger.ts"
import type { BroadcastStats, RecipientStatus } from "../RecipientStatus.ts"
import { appendEvent } from "../events.ts"

/** Recipient fields for receipts. */
export interface CalledRecipient {
  readonly id: RecipientId
  readonly broadcastId: BroadcastId
  readonly seq: number
  readonly status: RecipientStatus
  readonly providerMessageId: string | null
  readonly error: MessageError | null
  /** Time of the claim; `null` before it. */
  readonly calledAt: DateTime.Utc | null
  readonly sentAt: DateTime.Utc | null
  readonly deliveredAt: DateTime.Utc | null
  readonly readAt: DateTime.Utc | null
  readonly failedAt: DateTime.Utc | null
}

/** A recipient before and after receipts. */
export interface RecipientChange {
  readonly before: CalledRecipient
  readonly after: CalledRecipient
}

/** A broadcast with changed recipients. */
export interface BroadcastProgress {
  readonly broadcastId: BroadcastId
  readonly stats: BroadcastStats
  /** Time of the latest `broadcast.progressed` event. */
  readonly toldAt: DateTime.Utc | null
}

/** Recipients of the organization, for changes by receipts. */
export class RecipientReceipts extends Context.Service<
  RecipientReceipts,
  TenantScoped<{
    /**
     * Locks the recipients with these ids in broadcasts over this account, and their in-flight entries, in a fixed order. Unknown ids are skipped.
     */
    readonly lock: (
      chatAccountId: ChatAccountId,
      ids: ReadonlyArray<RecipientId>
    ) => Effect.Effect<ReadonlyArray<CalledRecipient>, never, Transaction>
    /**
     * Stores recipients that this unit of work has locked, with the statistics of their broadcasts. A stored recipient is no longer in flight, so a
     * later result of its call changes nothing.
     */
    readonly save: (
      moved: ReadonlyArray<RecipientChange>
    ) => Effect.Effect<ReadonlyArray<BroadcastProgress>, never, Transaction>
  }>
>()("@parley/domain/campaigns/RecipientReceipts") {}

/** A recipient whose message the provider has accepted, may have accepted, or is receiving. */
export interface AcceptedRecipient extends CalledRecipient {
  readonly contactId: ContactId
  readonly address: Recipient | null
  readonly variant: VariantKey | null
  readonly values: SentValues | null
  /** Time of acceptance. For a recipient in doubt, the time of the call; for one in flight, the time of the claim. */
  readonly sentAt: DateTime.Utc
  readonly repliedAt: DateTime.Utc | null
  readonly optedOutAt: DateTime.Utc | null
  /** Conversation that contains the message; `null` without one. */
  readonly conversationId: ConversationId | null
}

/** Replies of contacts to the organization's broadcasts. */
export class RecipientReplies extends Context.Service<
  RecipientReplies,
  TenantScoped<{
    /** Locks the called recipients of these contacts over this account: in flight, in doubt, sent or later. They have no order. */
    readonly lock: (
      chatAccountId: ChatAccountId,
      contactIds: ReadonlyArray<ContactId>
    ) => Effect.Effect<ReadonlyArray<AcceptedRecipient>, never, Transaction>
    /** Stores reply times, opt-out times and the conversations of recipients that this unit of work has locked. */
    readonly save: (
      recipients: ReadonlyArray<
        Pick<AcceptedRecipient, "broadcastId" | "seq" | "repliedAt" | "optedOutAt" | "conversationId">
      >
    ) => Effect.Effect<void, never, Transaction>
    /** Stores opt-outs that the provider reported by a rejection. Returns the contacts whose opt-out is new. */
    readonly optOut: (
      recipients: ReadonlyArray<Pick<AcceptedRecipient, "broadcastId" | "seq"> & { readonly at: DateTime.Utc }>
    ) => Effect.Effect<ReadonlyArray<Pick<AcceptedRecipient, "broadcastId" | "seq" | "contactId">>, never, Transaction>
  }>
>()("@parley/domain/campaigns/RecipientReplies") {}

type OptOutRefusals = Parameters<RecipientReplies["Service"]["optOut"]>[0]

/** Stores opt-outs at the provider, which caused rejections, and publishes each one once. */
export const saveOptOuts = Effect.fnUntraced(function* (refused: OptOutRefusals) {
  if (refused.length === 0) return
  const known = yield* (yield* RecipientReplies).optOut(refused)
  yield* Effect.forEach(
    known,
    ({ broadcastId, contactId, seq }) => {
      const messageId = MessageId.make(recipientIdAt(recipientPrefix(broadcastId), seq))
      return appendEvent({ type: "broadcast.opted_out", broadcastId, contactId, messageId })
    },
    { discard: true }
  )
})
