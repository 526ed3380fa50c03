import { Context, DateTime, Effect, Redacted, Schema } from "effect"
import { nextId, noOrganization, type OrganizationId, sealedFor, type Transaction } from "../../kernel/index.ts"
import { type Lane, LaneQueue, type WorkName } from "../background/index.ts"
import { compose, type Letter, Mail, MailId } from "./Mail.ts"

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

/** To whom a mail goes: whoever has the mailbox, or only if it belongs to a user who may sign in. */
export type Audience = "anybody" | "users"

const QueuedMail = Schema.fromJsonString(Schema.Struct({ mail: Mail, audience: Schema.Literals(["anybody", "users"]) }))

/** Queued mails are sealed, because they contain links. */
export const waitingMails = sealedFor(
  "mail/text",
  { kind: "configuration", reason: "The mail server is configured, and the recipient is sealed with the text." },
  (id: MailId) => Effect.succeed(`mail:${id}`)
)

/** Queues a mail in the unit of work that it tells about. It waits sealed, and is dropped when it has expired. */
export const queueMail = Effect.fnUntraced(function* (
  to: string,
  letter: Letter,
  options: {
    readonly audience: Audience
    readonly expiresAt: DateTime.Utc
    /** The organization that has it sent: of many that have, each has its turn. */
    readonly sentBy: OrganizationId | null
  }
) {
  const { audience, expiresAt, sentBy } = options
  const mailId = yield* nextId(MailId)
  const mail = new Mail({ id: mailId, to, ...compose(letter) })
  const text = Redacted.make(yield* Effect.orDie(Schema.encodeEffect(QueuedMail)({ mail, audience })))
  const sealedMail = yield* waitingMails.seal(mailId, text)
  yield* (yield* MailQueue).enqueue({ mailId, sealedMail, expiresAt })
  const lane = { ...mailLane(sentBy, mailId), priority: "person" as const, dueAt: yield* DateTime.now }
  yield* (yield* LaneQueue).openAll([lane])
})

/** What a mail that waits says, and to whom. */
export const openMail = Effect.fnUntraced(function* ({ mailId, sealedMail }: WaitingMail) {
  const text = yield* waitingMails.open(mailId, sealedMail)
  return yield* Effect.orDie(Schema.decodeEffect(QueuedMail)(Redacted.value(text)))
})
