import { Schema } from "effect"

/** The mail server rejects this mail permanently. Its response is not stored, because it may repeat the link. */
export class MailRefused extends Schema.TaggedError<MailRefused>()("MailRefused", { code: Schema.NullOr(Schema.Int) }) {
  override get message() {
    return "The mail server rejected the email."
  }
}

/** The mail server was unreachable, or requested a later attempt. */
export class MailerUnreachable extends Schema.TaggedError<MailerUnreachable>()("MailerUnreachable", {
  code: Schema.NullOr(Schema.Int)
}) {
  override get message() {
    return "The mail server did not accept the email."
  }
}

/** This service has no mail server. */
export class EmailNotConfigured extends Schema.TaggedError<EmailNotConfigured>()("EmailNotConfigured", {}) {
  override get message() {
    return 'This service has no mail server configured. Request a link and send it yourself ("delivery": "link" for an invitation), or contact the operator.'
  }
}

/** The mail limit of this mailbox or this organization is reached. */
export class MailThrottled extends Schema.TaggedError<MailThrottled>()("MailThrottled", {
  retryAfterSeconds: Schema.Int
}) {
  override get message() {
    return `Too many emails. Try again in ${this.retryAfterSeconds} seconds.`
  }
}
