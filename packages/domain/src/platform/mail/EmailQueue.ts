import { Context, DateTime, Effect, Redacted, Schema } from "effect"
import { nextId, noOrganization, type OrganizationId, defineSealedValue, type Transaction } from "../../kernel/index.ts"
import { type Lane, LaneQueue, type TaskName } from "../background/index.ts"
import { renderEmail, type EmailTemplate, EmailMessage, EmailMessageId } from "./EmailMessage.ts"

/** Name of the work that sends mails. */
export const emailsTaskName: TaskName = "mails"

/** Returns the lane of a mail. Each mail has its own lane, scheduled with the lanes of its organization; `null` for none. */
export const emailLane = (organizationId: OrganizationId | null, id: EmailMessageId): Lane => ({
  task: emailsTaskName,
  organizationId: organizationId ?? noOrganization,
  key: id
})

export const emailIdOfLane = ({ key }: Lane): EmailMessageId => EmailMessageId.make(key)

/** Mail that waits to be sent. */
export interface WaitingEmail {
  readonly mailId: EmailMessageId
  /** Sealed mail, because it contains a link. */
  readonly sealedMail: string
  /** Time after which the mail is useless. */
  readonly expiresAt: DateTime.Utc
  /** Number of failed attempts. */
  readonly attempts: number
}

/**
 * Waiting mails, for their lane owners. Not tenant-scoped, because a mailbox belongs to a person. Only the lane refers to the sending organization.
 */
export class EmailQueue extends Context.Service<
  EmailQueue,
  {
    /** Queues the mail in the commit of the change that it reports. */
    readonly enqueue: (mail: Omit<WaitingEmail, "attempts">) => Effect.Effect<void, never, Transaction>
    /** The mail if it still waits; else `null`. */
    readonly find: (id: EmailMessageId) => Effect.Effect<WaitingEmail | null>
    /** Counts a failed attempt. */
    readonly countAttempt: (id: EmailMessageId) => Effect.Effect<void, never, Transaction>
    /** Deletes a sent or abandoned mail. It does not require the lane lease, because the result is certain. */
    readonly remove: (id: EmailMessageId) => Effect.Effect<void>
    /** Deletes expired mails and returns the count. */
    readonly sweep: Effect.Effect<number>
  }
>()("@parley/domain/platform/mail/EmailQueue") {}

/** Recipients of a mail: any mailbox owner, or only users that may sign in. */
export type EmailAudience = "anybody" | "users"

const QueuedEmail = Schema.fromJsonString(
  Schema.Struct({ mail: EmailMessage, audience: Schema.Literals(["anybody", "users"]) })
)

/** Queued mails are sealed, because they contain links. */
export const sealedEmails = defineSealedValue(
  "mail/text",
  { kind: "configuration", reason: "The mail server is configured, and the recipient is sealed with the text." },
  (id: EmailMessageId) => Effect.succeed(`mail:${id}`)
)

/** Queues a mail in the unit of work of the change that it reports. The mail is stored sealed, and deleted after its expiry. */
export const queueEmail = Effect.fnUntraced(function* (
  to: string,
  letter: EmailTemplate,
  options: {
    readonly audience: EmailAudience
    readonly expiresAt: DateTime.Utc
    /** Sending organization. Organizations take turns. */
    readonly sentBy: OrganizationId | null
  }
) {
  const { audience, expiresAt, sentBy } = options
  const mailId = yield* nextId(EmailMessageId)
  const mail = new EmailMessage({ id: mailId, to, ...renderEmail(letter) })
  const text = Redacted.make(yield* Effect.orDie(Schema.encodeEffect(QueuedEmail)({ mail, audience })))
  const sealedMail = yield* sealedEmails.seal(mailId, text)
  yield* (yield* EmailQueue).enqueue({ mailId, sealedMail, expiresAt })
  const lane = { ...emailLane(sentBy, mailId), priority: "person" as const, dueAt: yield* DateTime.now }
  yield* (yield* LaneQueue).openAll([lane])
})

/** Opens a waiting mail and its audience. */
export const openEmail = Effect.fnUntraced(function* ({ mailId, sealedMail }: WaitingEmail) {
  const text = yield* sealedEmails.open(mailId, sealedMail)
  return yield* Effect.orDie(Schema.decodeEffect(QueuedEmail)(Redacted.value(text)))
})
