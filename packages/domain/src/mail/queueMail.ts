import { DateTime, Effect, Redacted, Schema } from "effect"
import { nextId, Vault } from "../kernel/index.ts"
import { compose, type Letter } from "./compose.ts"
import { Mail, MailId } from "./Mail.ts"
import { type MailLease, MailQueue } from "./MailQueue.ts"

/** To whom a mail goes: whoever has the mailbox, or only if it belongs to a user who may sign in. */
export type Audience = "anybody" | "users"

const QueuedMail = Schema.fromJsonString(Schema.Struct({ mail: Mail, audience: Schema.Literals(["anybody", "users"]) }))

const placeOf = (id: MailId) => `mail:${id}`

/** Queues a mail in the unit of work that it tells about. It waits sealed, and is dropped when it has expired. */
export const queueMail = Effect.fnUntraced(function* (
  to: string,
  letter: Letter,
  { audience, expiresAt }: { readonly audience: Audience; readonly expiresAt: DateTime.Utc }
) {
  const mailId = yield* nextId(MailId)
  const mail = new Mail({ id: mailId, to, ...compose(letter) })
  const text = Redacted.make(yield* Effect.orDie(Schema.encodeEffect(QueuedMail)({ mail, audience })))
  const sealedMail = yield* (yield* Vault).seal(placeOf(mailId), text)
  yield* (yield* MailQueue).enqueue({ mailId, sealedMail, now: yield* DateTime.now, expiresAt })
})

/** The mail that a lease is for. */
export const openMail = Effect.fnUntraced(function* ({ mailId, sealedMail }: MailLease) {
  const text = yield* (yield* Vault).open(placeOf(mailId), sealedMail)
  return yield* Effect.orDie(Schema.decodeEffect(QueuedMail)(Redacted.value(text)))
})
