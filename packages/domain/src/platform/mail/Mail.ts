import { Schema } from "effect"
import { Uuid } from "../../kernel/index.ts"

export const MailId = Uuid.pipe(Schema.brand("MailId"))
export type MailId = typeof MailId.Type

/** The subject of a mail: one line, so that nothing in it can become a header. */
export const Subject = Schema.String.check(
  Schema.isPattern(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]{1,200}$/u, { message: "Expected one line of at most 200 characters" })
)

/** A mail to one person. Its id stays the same however often it is tried, so that a mailbox can tell a repetition. */
export class Mail extends Schema.Class<Mail>("Mail")({
  id: MailId,
  to: Schema.String,
  subject: Subject,
  text: Schema.String,
  /** The same as simple HTML. */
  html: Schema.String
}) {}
