import { type EmailMessage, Mailer, MailerUnreachable, MailRefused } from "@parley/domain/platform"
import { Effect, Layer, Predicate, Redacted } from "effect"
import { createTransport } from "nodemailer"

const loopback: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"])

/** Address and options of a mail server, parsed from a URL such as `smtps://user:password@mail.example:465`. */
export interface SmtpServerAddress {
  readonly host: string
  readonly port: number
  /** Whether TLS starts with the first byte. Otherwise the connection upgrades before any data. */
  readonly secure: boolean
  /** Whether TLS is required. Only local connections can omit it. */
  readonly requireTLS: boolean
  readonly auth: { readonly user: string; readonly pass: Redacted.Redacted } | null
}

const decoded = (text: string) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

const authOf = ({ password, username }: URL) => {
  const [user, pass] = [decoded(username), decoded(password)]
  return user === null || pass === null ? null : { user, pass: Redacted.make(pass) }
}

/** Parses the URL; `null` if invalid. Rejects parameters, because they could change settings. */
export const smtpServerAddress = (url: Redacted.Redacted): SmtpServerAddress | null => {
  const text = Redacted.value(url)
  if (!/^smtps?:\/\/./u.test(text) || !URL.canParse(text)) return null
  const parsed = new URL(text)
  const { hash, hostname, password, pathname, port, protocol, search, username } = parsed
  if (hostname === "" || search !== "" || hash !== "" || !["", "/"].includes(pathname)) return null
  const auth = username === "" ? null : authOf(parsed)
  if ((username !== "" || password !== "") && auth === null) return null
  const secure = protocol === "smtps:"
  return {
    host: hostname.replace(/^\[|\]$/gu, ""),
    port: port === "" ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: !secure && !loopback.has(hostname),
    auth
  }
}

export interface Sender {
  readonly name: string
  readonly address: string
}

const atom = '[^\\s<>"(),:;\\\\@\\[\\]\\p{Cc}]'

const address = `(${atom}{1,64}@[A-Za-z0-9-]+(?:\\.[A-Za-z0-9-]+)*)`

const plain = new RegExp(`^${address}$`, "u")

const named = new RegExp(`^([^<>"\\\\@,;:\\p{Cc}]{1,100}?) *<${address}>$`, "u")

/** Parses `no-reply@shop.example` or `Shop <no-reply@shop.example>`; `null` if invalid. */
export const senderOf = (text: string): Sender | null => {
  const alone = plain.exec(text)?.[1]
  if (alone !== undefined) return { name: "", address: alone }
  const [, name, address] = named.exec(text) ?? []
  return name === undefined || address === undefined ? null : { name: name.trim(), address }
}

/** Whether the text is exactly one mailbox, without list, comment, route or second line. */
export const isMailbox = (text: string): boolean => plain.test(text)

export interface SmtpOptions {
  readonly server: SmtpServerAddress
  readonly from: Sender
  /** Timeout of a whole mail. Default: 25 seconds. */
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

/** Builds a mail. The id contains the domain of the sender and stays the same on a retry, so a mailbox can deduplicate. */
const contentOf = (mail: EmailMessage, from: Sender) => ({
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

/** Classifies a failure. A rejected login or sender is a configuration error: the mail waits until it is fixed. */
const failureOf = (error: unknown) => {
  const code = codeOf(error)
  return code !== null && code >= 500 && isAboutMail(error)
    ? new MailRefused({ code })
    : new MailerUnreachable({ code })
}

/** Sends mails through an SMTP server. Each mail has a separate connection, because mails are rare. */
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
