import { DateTime, Effect, Redacted, Schema } from "effect"
import { nextId, type OrganizationId, sealedFor } from "../../kernel/index.ts"
import { LaneQueue } from "../background/index.ts"
import { compose, type Letter } from "./compose.ts"
import { Mail, MailId } from "./Mail.ts"
import { mailLane, MailQueue, type WaitingMail } from "./MailQueue.ts"

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
