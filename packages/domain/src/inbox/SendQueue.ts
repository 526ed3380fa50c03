import { Context, type DateTime, type Effect } from "effect"
import type { ChatAccountId } from "../chat/index.ts"
import type { OrganizationId, TenantScoped, Transaction } from "../kernel/index.ts"
import type { ConversationId, MessageId } from "./Ids.ts"

/** The right to send a message until someone else claims it. */
export interface SendLease {
  readonly organizationId: OrganizationId
  readonly messageId: MessageId
  readonly conversationId: ConversationId
  readonly chatAccountId: ChatAccountId
  readonly sender: string
  /** How often it was claimed and not given back, this claim included. */
  readonly attempts: number
  /** How many calls of the account in a row had come to nothing when it was claimed. */
  readonly failures: number
  /** Whether an earlier sender had begun to call the provider and did not live to say what came of it. */
  readonly interrupted: boolean
}

/** The account of a message that waits. */
export type SendingAccount = Pick<SendLease, "organizationId" | "chatAccountId">

/** Messages that wait to be sent: put in by the organization that writes them. */
export class Sends extends Context.Service<
  Sends,
  TenantScoped<{
    readonly enqueue: (send: {
      readonly messageId: MessageId
      readonly conversationId: ConversationId
      readonly chatAccountId: ChatAccountId
      readonly now: DateTime.Utc
    }) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/inbox/Sends") {}

/**
 * Messages of all organizations that wait to be sent, for those who send them. Of a conversation, one at a time and in the
 * order in which they were written. It stands above tenants.
 */
export class SendQueue extends Context.Service<
  SendQueue,
  {
    /**
     * Takes up to `limit` messages whose time has come, or whose sender has let its lease run out; each goes to one sender.
     * Of an account that rests, it takes those only whose sender had begun to call.
     */
    readonly claim: (claim: {
      readonly sender: string
      readonly now: DateTime.Utc
      readonly until: DateTime.Utc
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<SendLease>>
    /** A sign of life: the lease holds until then. `false` when it is lost. */
    readonly renew: (lease: SendLease, until: DateTime.Utc) => Effect.Effect<boolean>
    /** Keeps that the provider is called from now on: whoever claims it after this one knows. `false` when the lease is lost. */
    readonly begin: (lease: SendLease, until: DateTime.Utc) => Effect.Effect<boolean>
    /** The message is settled, whatever came of it. `false` when the lease is lost. */
    readonly settle: (lease: SendLease) => Effect.Effect<boolean, never, Transaction>
    /** It was certainly not sent, and is tried again then. `false` when the lease is lost. */
    readonly postpone: (lease: SendLease, until: DateTime.Utc) => Effect.Effect<boolean>
    /** No call was made, whether one had begun or not: it can be claimed from then on, as if it had not been. `false` when the lease is lost. */
    readonly giveBack: (lease: SendLease, from: DateTime.Utc) => Effect.Effect<boolean>
    /** A call of the account came to nothing; says how many in a row that are, of which it counts so many at most. */
    readonly callFailed: (account: SendingAccount, most: number) => Effect.Effect<number>
    /** A call of the account was answered: nothing stands against it any more, and it does not rest. */
    readonly callAnswered: (account: SendingAccount) => Effect.Effect<void>
    /** Nothing of the account is claimed before then, unless it rests for longer already. */
    readonly rest: (account: SendingAccount, until: DateTime.Utc) => Effect.Effect<void>
    /** When the next one that waits can be claimed; `null` when none waits. */
    readonly nextDue: Effect.Effect<DateTime.Utc | null>
    /** Answers when a message may have been put in, on this node or on another; it may answer for nothing. */
    readonly awaitNews: Effect.Effect<void>
  }
>()("@parley/domain/inbox/SendQueue") {}
