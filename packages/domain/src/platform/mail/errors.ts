import { Schema } from "effect"

/** The mail server will not take this mail, now or later. What it said is not kept: it may repeat the link. */
export class MailRefused extends Schema.TaggedError<MailRefused>()("MailRefused", { code: Schema.NullOr(Schema.Int) }) {
  override get message() {
    return "The mail server refused the mail."
  }
}

/** The mail server was not reached, or asked to come back later. */
export class MailerUnreachable extends Schema.TaggedError<MailerUnreachable>()("MailerUnreachable", {
  code: Schema.NullOr(Schema.Int)
}) {
  override get message() {
    return "The mail server did not take the mail this time."
  }
}

/** This service is set up without a mail server. */
export class MailerAbsent extends Schema.TaggedError<MailerAbsent>()("MailerAbsent", {}) {
  override get message() {
    return 'This service sends no mail. Ask for a link and hand it over yourself ("delivery": "link" for an invitation), or ask whoever runs the service.'
  }
}

/** Enough mails went to this mailbox, or from this organization, for now. */
export class MailThrottled extends Schema.TaggedError<MailThrottled>()("MailThrottled", {
  retryAfterSeconds: Schema.Int
}) {
  override get message() {
    return `Too many mails. Try again in ${this.retryAfterSeconds} seconds.`
  }
}
