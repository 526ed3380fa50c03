import { Context, type DateTime, type Effect } from "effect"
import type { ChatAccountId, Recipient } from "../messaging/chat/index.ts"
import type { ContactId } from "../crm/index.ts"
import type { ConversationId } from "../messaging/inbox/index.ts"
import type { TenantScoped, Transaction } from "../kernel/index.ts"
import type { VariantKey } from "./Broadcast.ts"
import type { SentValues } from "./RecipientLedger.ts"
import type { CalledRecipient } from "./RecipientReceipts.ts"

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
