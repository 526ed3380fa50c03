import { type Mail, Mailer, MailerUnreachable, MailRefused } from "@parley/domain"
import { Effect, Layer, Predicate, Redacted } from "effect"
import { createTransport } from "nodemailer"
import { isMailbox, type Sender } from "./sender.ts"
import type { SmtpServerAddress } from "./SmtpServerAddress.ts"

/** How mail is handed over. */
export interface SmtpOptions {
  readonly server: SmtpServerAddress
  readonly from: Sender
  /** How long a whole mail may take; 25 seconds if it is not said. */
  readonly timeoutMillis?: number
}

const transportOf = ({ auth, host, port, requireTLS, secure }: SmtpServerAddress, timeout: number) =>
  createTransport({
    host,
    port,
    secure,
    requireTLS,
    ...(auth !== null && { auth: { user: auth.user, pass: Redacted.value(auth.pass) } }),
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: timeout,
    dnsTimeout: timeout,
    disableFileAccess: true,
    disableUrlAccess: true,
    logger: false
  })

/** A mail names its sender's domain, and keeps its id at every try, so that a mailbox can tell a repetition. */
const contentOf = (mail: Mail, from: Sender) => ({
  from: { name: from.name, address: from.address },
  to: { name: "", address: mail.to },
  envelope: { from: from.address, to: [mail.to] },
  messageId: `<${mail.id}@${from.address.split("@")[1] ?? "localhost"}>`,
  subject: mail.subject,
  text: mail.text,
  html: mail.html,
  headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" }
})

const codeOf = (error: unknown) => {
  const code = Predicate.hasProperty(error, "responseCode") ? error.responseCode : null
  return Predicate.isNumber(code) && Number.isInteger(code) ? code : null
}

const isAboutMail = (error: unknown) => {
  const command = Predicate.hasProperty(error, "command") ? error.command : null
  return Predicate.isString(command) && /^(?:RCPT TO|DATA)/u.test(command)
}

/** A login or a sender that is refused is a fault of the configuration: the mail waits until it is mended. */
const failureOf = (error: unknown) => {
  const code = codeOf(error)
  return code !== null && code >= 500 && isAboutMail(error)
    ? new MailRefused({ code })
    : new MailerUnreachable({ code })
}

/** Hands mails to an SMTP server, one connection for each: they are few. */
export const layer = ({ from, server, timeoutMillis = 25_000 }: SmtpOptions): Layer.Layer<Mailer> =>
  Layer.succeed(Mailer, {
    send: (mail) =>
      isMailbox(mail.to)
        ? Effect.acquireUseRelease(
            Effect.sync(() => transportOf(server, timeoutMillis)),
            (transport) =>
              Effect.tryPromise({ try: () => transport.sendMail(contentOf(mail, from)), catch: failureOf }).pipe(
                Effect.timeoutOrElse({
                  duration: timeoutMillis,
                  orElse: () => new MailerUnreachable({ code: null })
                }),
                Effect.asVoid
              ),
            (transport) => Effect.sync(() => transport.close())
          )
        : new MailRefused({ code: null })
  })
