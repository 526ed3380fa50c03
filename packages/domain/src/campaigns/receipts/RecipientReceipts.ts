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
export interface RecipientChange {
  readonly before: CalledRecipient
  readonly after: CalledRecipient
}

/** A broadcast of which recipients have moved. */
export interface BroadcastProgress {
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
      moved: ReadonlyArray<RecipientChange>
    ) => Effect.Effect<ReadonlyArray<BroadcastProgress>, never, Transaction>
  }>
>()("@parley/domain/campaigns/RecipientReceipts") {}

/** A recipient whose message the provider has accepted, or may have, or is just given. */
export interface AcceptedRecipient extends CalledRecipient {
  readonly contactId: ContactId
  readonly address: Recipient | null
  readonly variant: VariantKey | null
  readonly values: SentValues | null
  /** When it was accepted; of one in doubt, when it was called, and of one in hand, when it was taken there. */
  readonly sentAt: DateTime.Utc
  readonly repliedAt: DateTime.Utc | null
  readonly optedOutAt: DateTime.Utc | null
  /** The conversation that has the message, if one has. */
  readonly conversationId: ConversationId | null
}

/** What contacts answer to the organization's broadcasts. */
export class RecipientReplies extends Context.Service<
  RecipientReplies,
  TenantScoped<{
    /** The recipients over this account that these contacts are, locked, in no order: those that were sent to, are in doubt or in hand, or more. */
    readonly lock: (
      chatAccountId: ChatAccountId,
      contactIds: ReadonlyArray<ContactId>
    ) => Effect.Effect<ReadonlyArray<AcceptedRecipient>, never, Transaction>
    /** Stores when recipients that were locked in this unit of work have replied or opted out, and which conversation has the message. */
    readonly save: (
      recipients: ReadonlyArray<
        Pick<AcceptedRecipient, "broadcastId" | "seq" | "repliedAt" | "optedOutAt" | "conversationId">
      >
    ) => Effect.Effect<void, never, Transaction>
    /** Stores that the provider has refused these because they have opted out; says of whom that was not known. */
    readonly optOut: (
      recipients: ReadonlyArray<Pick<AcceptedRecipient, "broadcastId" | "seq"> & { readonly at: DateTime.Utc }>
    ) => Effect.Effect<ReadonlyArray<Pick<AcceptedRecipient, "broadcastId" | "seq" | "contactId">>, never, Transaction>
  }>
>()("@parley/domain/campaigns/RecipientReplies") {}

type OptOutRefusals = Parameters<RecipientReplies["Service"]["optOut"]>[0]

/** Stores who has opted out at the provider, which therefore has refused what was sent to them, and tells it of each once. */
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
