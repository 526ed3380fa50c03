import { Context, type Effect } from "effect"
import type { MailerUnreachable, MailRefused } from "./Errors.ts"
import type { Mail } from "./Mail.ts"

/** Hands mails to the server that delivers them. */
export class Mailer extends Context.Service<
  Mailer,
  {
    /**
     * Sends the mail, within half a minute. Nothing of it can become a header or another recipient. A failure names no
     * secret: neither the link in the mail nor the password of the server.
     */
    readonly send: (mail: Mail) => Effect.Effect<void, MailRefused | MailerUnreachable>
  }
>()("@parley/domain/platform/mail/Mailer") {}

/** How mail is set up on this service. */
export class MailSettings extends Context.Service<
  MailSettings,
  {
    /** The address that links in mails begin with, without a slash at its end. It is configured, never taken from a request. */
    readonly publicUrl: string
    /** Whether there is a mail server. */
    readonly sendsMail: boolean
  }
>()("@parley/domain/platform/mail/MailSettings") {}
