import { Context, type DateTime, type Effect } from "effect"
import type { Contact } from "../../crm/index.ts"
import type { TenantScoped, Transaction } from "../../kernel/index.ts"
import type { Lane, LaneLease, LanePriority, TaskName } from "../../platform/background/index.ts"
import type { ChatAccountId } from "../chat/index.ts"
import type { ContactWindows } from "./Conversations.ts"
import type { ConversationId, Message, MessageId } from "./Message.ts"
import type { RecipientSource } from "./recipients.ts"

/** Name of the background task that sends messages; each account has a lane. */
export const sendTaskName: TaskName = "sends"

/** Returns the account of a send lane. */
export const sendLaneAccountId = ({ key }: Lane) => key as ChatAccountId

/** Message that the owner of its account's lane can send. */
export interface SendLease {
  readonly lane: LaneLease
  /** Id of this read of the queue. It separates the calls of this reader from the calls of others. */
  readonly reader: string
  readonly messageId: MessageId
  readonly conversationId: ConversationId
  readonly chatAccountId: ChatAccountId
  /** Increases with each write. After concurrent reads, the first write invalidates the other leases. */
  readonly revision: number
  /** Number of attempts, including this one. */
  readonly attempts: number
  /** Number of failed calls of the account in a row at the time of the read. */
  readonly failures: number
  /** Whether an earlier sender started the provider call and stopped before it stored a result. */
  readonly interrupted: boolean
  /** Whether this sender has started the call. Then the result is known in this process only. */
  readonly hasBegun: boolean
}

/** Message to send, with data of its conversation and its contact. */
export interface PendingMessageRow {
  readonly message: Message
  readonly conversation: ContactWindows
  /** Provider of the conversation's number; `null` if the number is unknown. */
  readonly provider: string | null
  /** Contact of the conversation; `null` if deleted. */
  readonly contact: (Pick<Contact, "id" | "blockedAt"> & RecipientSource) | null
}

/** Queue of messages to send, for the organization that writes them. */
export class QueuedSends extends Context.Service<
  QueuedSends,
  TenantScoped<{
    /** Enqueues messages of an account in this order, and opens its lane. */
    readonly enqueue: (sends: {
      readonly chatAccountId: ChatAccountId
      readonly messages: ReadonlyArray<Pick<Message, "id" | "conversationId">>
      readonly priority: LanePriority
      readonly now: DateTime.Utc
    }) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/messaging/inbox/QueuedSends") {}

/**
 * Messages of an organization that wait to be sent, for the lane owner of their account. Each conversation sends one message at a time, in the order
 * of writing.
 */
export class SendQueue extends Context.Service<
  SendQueue,
  TenantScoped<{
    /**
     * Reads up to `limit` due messages of the account, without messages in flight. During a backoff it reads only messages whose sender had started
     * the call.
     */
    readonly next: (
      lane: LaneLease,
      search: {
        readonly reader: string
        readonly now: DateTime.Utc
        readonly limit: number
        readonly except: ReadonlyArray<MessageId>
      }
    ) => Effect.Effect<ReadonlyArray<SendLease>>
    /** Time of the account's next send; `null` if no message waits. */
    readonly nextDue: (id: ChatAccountId) => Effect.Effect<DateTime.Utc | null>
    /** Returns the existing messages of these leases in their current state, in no order. */
    readonly read: (leases: ReadonlyArray<SendLease>) => Effect.Effect<ReadonlyArray<PendingMessageRow>>
    /**
     * Stores that the provider calls for these messages of one lane start now. Later readers see it. Returns the started ones, in no order. For the
     * others the lease is lost, or the message has changed since it was read.
     */
    readonly beginAll: (leases: ReadonlyArray<SendLease>) => Effect.Effect<ReadonlyArray<SendLease>>
    /** Settles these messages of one lane with any result. Returns the settled ones; another owner decides about the rest. */
    readonly settleAll: (leases: ReadonlyArray<SendLease>) => Effect.Effect<ReadonlySet<MessageId>, never, Transaction>
    /** Schedules another attempt of a message that was certainly not sent. `false` if another owner decides. */
    readonly postpone: (lease: SendLease, until: DateTime.Utc) => Effect.Effect<boolean>
    /** Returns a message without a call, even if one was recorded. It waits until that time, and the attempt does not count. */
    readonly giveBack: (lease: SendLease, from: DateTime.Utc) => Effect.Effect<boolean>
    /** Number of failed calls of the account in a row, and the end of its backoff; `null` without a backoff. */
    readonly standing: (
      id: ChatAccountId
    ) => Effect.Effect<{ readonly failures: number; readonly restsUntil: DateTime.Utc | null }>
    /** Counts a failed call of the account, up to the maximum. Returns the number of failures in a row. */
    readonly callFailed: (id: ChatAccountId, most: number) => Effect.Effect<number>
    /** Resets the account's failures after an answered call. With at least `many` failures it also ends the backoff. */
    readonly callAnswered: (id: ChatAccountId, many: number) => Effect.Effect<void>
    /** Starts a backoff of the account until that time. A longer backoff stays. */
    readonly rest: (id: ChatAccountId, until: DateTime.Utc) => Effect.Effect<void>
  }>
>()("@parley/domain/messaging/inbox/SendQueue") {}
