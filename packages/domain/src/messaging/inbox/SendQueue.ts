import { Context, type DateTime, type Effect } from "effect"
import type { Contact } from "../../crm/index.ts"
import type { TenantScoped, Transaction } from "../../kernel/index.ts"
import type { Lane, LaneLease, LanePriority, TaskName } from "../../platform/background/index.ts"
import type { ChatAccountId } from "../chat/index.ts"
import type { ContactWindows } from "./Conversations.ts"
import type { ConversationId, Message, MessageId } from "./Message.ts"
import type { RecipientSource } from "./recipients.ts"

/** What messages that wait to be sent are called among the works: each account has a lane. */
export const sendTaskName: TaskName = "sends"

/** The account that a lane of sends is of. */
export const sendLaneAccountId = ({ key }: Lane) => key as ChatAccountId

/** A message that whoever owns its account's lane may send. */
export interface SendLease {
  readonly lane: LaneLease
  /** Names this reading of the queue: what it has begun, nobody else takes for theirs. */
  readonly reader: string
  readonly messageId: MessageId
  readonly conversationId: ConversationId
  readonly chatAccountId: ChatAccountId
  /** Goes up with each write: of two who have read the same one, the first to write makes the other one's void. */
  readonly revision: number
  /** How often it was tried, this time included. */
  readonly attempts: number
  /** How many calls of the account in a row had come to nothing when it was read. */
  readonly failures: number
  /** Whether an earlier sender had begun to call the provider and did not live to say what came of it. */
  readonly interrupted: boolean
  /** Whether this sender has begun to: then what came of it is known here only. */
  readonly hasBegun: boolean
}

/** A message that is to be sent, and what has to be known of its conversation and its contact. */
export interface PendingMessageRow {
  readonly message: Message
  readonly conversation: ContactWindows
  /** Whose number the conversation is held over; `null` where the number is not known any more. */
  readonly provider: string | null
  /** Whom the conversation is with; `null` where they are not there any more. */
  readonly contact: (Pick<Contact, "id" | "blockedAt"> & RecipientSource) | null
}

/** Messages that wait to be sent: put in by the organization that writes them. */
export class QueuedSends extends Context.Service<
  QueuedSends,
  TenantScoped<{
    /** Opens the lane of the account, too. */
    readonly enqueue: (send: {
      readonly messageId: MessageId
      readonly conversationId: ConversationId
      readonly chatAccountId: ChatAccountId
      readonly priority: LanePriority
      readonly now: DateTime.Utc
    }) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/messaging/inbox/QueuedSends") {}

/**
 * Messages of an organization that wait to be sent, for whoever owns the lane of their account. Of a conversation, one at a
 * time and in the order in which they were written.
 */
export class SendQueue extends Context.Service<
  SendQueue,
  TenantScoped<{
    /**
     * Reads up to `limit` messages of the account whose time has come, without those that are in hand already. Of an account
     * that rests, it reads those only whose sender had begun to call.
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
    /** When the next one of the account can be sent; `null` when none waits. */
    readonly nextDue: (id: ChatAccountId) => Effect.Effect<DateTime.Utc | null>
    /** The messages of these that there are, as they are now, in no order. */
    readonly read: (leases: ReadonlyArray<SendLease>) => Effect.Effect<ReadonlyArray<PendingMessageRow>>
    /**
     * Stores that the provider is called for these from now on, which are of one lane: whoever reads one after this knows. Gives those for
     * which that is so, in no order: of the others the lease is lost, or the message has changed since it was read.
     */
    readonly beginAll: (leases: ReadonlyArray<SendLease>) => Effect.Effect<ReadonlyArray<SendLease>>
    /** These messages, of one lane, are settled, whatever came of them. Says which are: of the others somebody else decides. */
    readonly settleAll: (leases: ReadonlyArray<SendLease>) => Effect.Effect<ReadonlySet<MessageId>, never, Transaction>
    /** It was certainly not sent, and is tried again then. `false` when somebody else decides that. */
    readonly postpone: (lease: SendLease, until: DateTime.Utc) => Effect.Effect<boolean>
    /** No call was made, whether one had begun or not: it waits until then, as if it had not been tried. */
    readonly giveBack: (lease: SendLease, from: DateTime.Utc) => Effect.Effect<boolean>
    /** How many calls of the account in a row have come to nothing, and until when it rests; `null` when it does not. */
    readonly standing: (
      id: ChatAccountId
    ) => Effect.Effect<{ readonly failures: number; readonly restsUntil: DateTime.Utc | null }>
    /** A call of the account came to nothing; says how many in a row that are, of which it counts so many at most. */
    readonly callFailed: (id: ChatAccountId, most: number) => Effect.Effect<number>
    /** A call of the account was answered: its failures are reset, and where there were so many, it does not rest any more. */
    readonly callAnswered: (id: ChatAccountId, many: number) => Effect.Effect<void>
    /** Nothing of the account is read before then, unless it rests for longer already. */
    readonly rest: (id: ChatAccountId, until: DateTime.Utc) => Effect.Effect<void>
  }>
>()("@parley/domain/messaging/inbox/SendQueue") {}
