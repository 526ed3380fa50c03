import { Context, type DateTime, type Effect } from "effect"
import type { Transaction } from "../kernel/index.ts"
import type { MailId } from "./Mail.ts"

/** The right to send a mail until someone else claims it. */
export interface MailLease {
  readonly mailId: MailId
  /** The mail, sealed: it holds a link. */
  readonly sealedMail: string
  /** After this it is of no use to anybody. */
  readonly expiresAt: DateTime.Utc
  readonly sender: string
  /** How often it was claimed, this claim included. */
  readonly attempts: number
}

/** Mails that wait to be sent. They stand above tenants: a mailbox belongs to a person. */
export class MailQueue extends Context.Service<
  MailQueue,
  {
    /** Queues the mail in the commit of what it tells about. */
    readonly enqueue: (mail: {
      readonly mailId: MailId
      readonly sealedMail: string
      readonly now: DateTime.Utc
      readonly expiresAt: DateTime.Utc
    }) => Effect.Effect<void, never, Transaction>
    /** Claims up to `limit` mails whose time has come, or whose sender has let its lease run out; each goes to one sender. */
    readonly claim: (claim: {
      readonly sender: string
      readonly now: DateTime.Utc
      readonly until: DateTime.Utc
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<MailLease>>
    /** Deletes the mail: it was sent, or given up. `false` when the lease is lost. */
    readonly settle: (lease: MailLease) => Effect.Effect<boolean>
    /** It is tried again then. `false` when the lease is lost. */
    readonly postpone: (lease: MailLease, until: DateTime.Utc) => Effect.Effect<boolean>
    /** When the next one can be claimed; `null` when none waits. */
    readonly nextDue: Effect.Effect<DateTime.Utc | null>
    /** Answers when a mail may have been queued, on this node or on another; it may answer for nothing. */
    readonly awaitNews: Effect.Effect<void>
    /** Deletes mails that have expired; says how many. */
    readonly sweep: Effect.Effect<number>
  }
>()("@parley/domain/mail/MailQueue") {}
