import { Schema } from "effect"

/** The mail server rejects this mail permanently. Its response is not stored, because it may repeat the link. */
export class MailRefused extends Schema.TaggedError<MailRefused>()("MailRefused", { code: Schema.NullOr(Schema.Int) }) {
  override get message() {
    return "The mail server refused the mail."
  }
}

/** The mail server was unreachable, or requested a later attempt. */
export class MailerUnreachable extends Schema.TaggedError<MailerUnreachable>()("MailerUnreachable", {
  code: Schema.NullOr(Schema.Int)
}) {
  override get message() {
    return "The mail server did not take the mail this time."
  }
}

/** This service has no mail server. */
export class EmailNotConfigured extends Schema.TaggedError<EmailNotConfigured>()("EmailNotConfigured", {}) {
  override get message() {
    return 'This service sends no mail. Ask for a link and hand it over yourself ("delivery": "link" for an invitation), or ask whoever runs the service.'
  }
}

/** The mail limit of this mailbox or this organization is reached. */
export class MailThrottled extends Schema.TaggedError<MailThrottled>()("MailThrottled", {
  retryAfterSeconds: Schema.Int
}) {
  override get message() {
    return `Too many mails. Try again in ${this.retryAfterSeconds} seconds.`
  }
}
