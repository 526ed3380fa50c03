import { Context, DateTime, Effect, Redacted, Schema } from "effect"
import { nextId, noOrganization, type OrganizationId, defineSealedValue, type Transaction } from "../../kernel/index.ts"
import { type Lane, LaneQueue, type TaskName } from "../background/index.ts"
import { renderEmail, type EmailTemplate, EmailMessage, EmailMessageId } from "./EmailMessage.ts"

/** What mails that wait to be sent are called among the works. */
export const emailsTaskName: TaskName = "mails"

/** Each mail has a lane. It takes its turn among those of the organization that has it sent; `null` for none. */
export const emailLane = (organizationId: OrganizationId | null, id: EmailMessageId): Lane => ({
  work: emailsTaskName,
  organizationId: organizationId ?? noOrganization,
  key: id
})

/** The mail that a lane is of. */
export const emailIdOfLane = ({ key }: Lane): EmailMessageId => EmailMessageId.make(key)

/** A mail that waits to be sent. */
export interface WaitingEmail {
  readonly mailId: EmailMessageId
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
export class EmailQueue extends Context.Service<
  EmailQueue,
  {
    /** Queues the mail in the commit of what it tells about. */
    readonly enqueue: (mail: Omit<WaitingEmail, "attempts">) => Effect.Effect<void, never, Transaction>
    /** The mail, if it still waits; else `null`. */
    readonly find: (id: EmailMessageId) => Effect.Effect<WaitingEmail | null>
    /** Counts that it was tried in vain. */
    readonly countAttempt: (id: EmailMessageId) => Effect.Effect<void, never, Transaction>
    /** Deletes the mail: it was sent, or given up. Whoever knows that says so, whether the lane is still theirs or not. */
    readonly remove: (id: EmailMessageId) => Effect.Effect<void>
    /** Deletes mails that have expired; says how many. */
    readonly sweep: Effect.Effect<number>
  }
>()("@parley/domain/platform/mail/EmailQueue") {}

/** To whom a mail goes: whoever has the mailbox, or only if it belongs to a user who may sign in. */
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

/** Queues a mail in the unit of work that it tells about. It waits sealed, and is dropped when it has expired. */
export const queueEmail = Effect.fnUntraced(function* (
  to: string,
  letter: EmailTemplate,
  options: {
    readonly audience: EmailAudience
    readonly expiresAt: DateTime.Utc
    /** The organization that has it sent: of many that have, each has its turn. */
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

/** What a mail that waits says, and to whom. */
export const openEmail = Effect.fnUntraced(function* ({ mailId, sealedMail }: WaitingEmail) {
  const text = yield* sealedEmails.open(mailId, sealedMail)
  return yield* Effect.orDie(Schema.decodeEffect(QueuedEmail)(Redacted.value(text)))
})
