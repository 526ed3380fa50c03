import { Context, type DateTime, type Effect } from "effect"
import { noOrganization, type OrganizationId, type Transaction } from "../../kernel/index.ts"
import type { Lane, WorkName } from "../background/index.ts"
import { MailId } from "./Mail.ts"

/** What mails that wait to be sent are called among the works. */
export const mailsWork: WorkName = "mails"

/** Each mail has a lane. It takes its turn among those of the organization that has it sent; `null` for none. */
export const mailLane = (organizationId: OrganizationId | null, id: MailId): Lane => ({
  work: mailsWork,
  organizationId: organizationId ?? noOrganization,
  key: id
})

/** The mail that a lane is of. */
export const mailOfLane = ({ key }: Lane): MailId => MailId.make(key)

/** A mail that waits to be sent. */
export interface WaitingMail {
  readonly mailId: MailId
  /** The mail, sealed: it holds a link. */
  readonly sealedMail: string
  /** After this it is of no use to anybody. */
  readonly expiresAt: DateTime.Utc
  /** How often it was tried in vain. */
  readonly attempts: number
}

/**
 * Mails that wait to be sent, for whoever owns their lanes. They stand above tenants: a mailbox belongs to a person, and who
 * has a mail sent is told by its lane only.
 */
export class MailQueue extends Context.Service<
  MailQueue,
  {
    /** Queues the mail in the commit of what it tells about. */
    readonly enqueue: (mail: Omit<WaitingMail, "attempts">) => Effect.Effect<void, never, Transaction>
    /** The mail, if it still waits; else `null`. */
    readonly find: (id: MailId) => Effect.Effect<WaitingMail | null>
    /** Counts that it was tried in vain. */
    readonly countAttempt: (id: MailId) => Effect.Effect<void, never, Transaction>
    /** Deletes the mail: it was sent, or given up. Whoever knows that says so, whether the lane is still theirs or not. */
    readonly remove: (id: MailId) => Effect.Effect<void>
    /** Deletes mails that have expired; says how many. */
    readonly sweep: Effect.Effect<number>
  }
>()("@parley/domain/platform/mail/MailQueue") {}
