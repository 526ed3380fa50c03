import { Context, type Effect, Layer, Schema } from "effect"
import { Uuid } from "../../kernel/index.ts"
import { MailerUnreachable, type MailRefused } from "./errors.ts"

export const EmailMessageId = Uuid.pipe(Schema.brand("MailId"))
export type EmailMessageId = typeof EmailMessageId.Type

/** The subject of a mail: one line, so that nothing in it can become a header. */
export const EmailSubject = Schema.String.check(
  Schema.isPattern(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]{1,200}$/u, { message: "Expected one line of at most 200 characters" })
)

/** A mail to one person. Its id stays the same however often it is tried, so that a mailbox can tell a repetition. */
export class EmailMessage extends Schema.Class<EmailMessage>("Mail")({
  id: EmailMessageId,
  to: Schema.String,
  subject: EmailSubject,
  text: Schema.String,
  /** The same as simple HTML. */
  html: Schema.String
}) {}

/** What a mail says: paragraphs, one of which is the link. */
export interface EmailTemplate {
  readonly subject: string
  readonly before: ReadonlyArray<string>
  readonly link: { readonly label: string; readonly url: string }
  readonly after: ReadonlyArray<string>
}

const maxNameLength = 60

/**
 * A name that somebody else chose, as it may stand in a mail: one line, short, without invisible characters, and without
 * anything that a mail program would make a link of.
 */
export const escapeForMail = (name: string): string => {
  const line = name
    .replaceAll(/[\p{C}\p{Z}]+/gu, " ")
    .replaceAll(/[.:/\\@。．｡]+(?=\S)/gu, (separator) => `${separator} `)
    .trim()
  const characters = Array.from(line)
  return characters.length > maxNameLength
    ? `${characters
        .slice(0, maxNameLength - 1)
        .join("")
        .trimEnd()}…`
    : line
}

const htmlEntities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (character) => htmlEntities[character] ?? character)

const toParagraph = (text: string) => `<p>${escapeHtml(text)}</p>`

/** The text and the HTML of a letter: the same words, the link once. */
export const renderEmail = ({ after, before, link, subject }: EmailTemplate) => ({
  subject,
  text: `${[...before, link.url, ...after].join("\n\n")}\n`,
  html: [
    '<!doctype html><html lang="en"><body style="font-family:sans-serif;line-height:1.5">',
    ...before.map(toParagraph),
    `<p><a href="${escapeHtml(link.url)}">${escapeHtml(link.label)}</a></p>`,
    ...after.map(toParagraph),
    "</body></html>"
  ].join("\n")
})

/** Hands mails to the server that delivers them. */
export class Mailer extends Context.Service<
  Mailer,
  {
    /**
     * Sends the mail, within half a minute. Nothing of it can become a header or another recipient. A failure names no
     * secret: neither the link in the mail nor the password of the server.
     */
    readonly send: (mail: EmailMessage) => Effect.Effect<void, MailRefused | MailerUnreachable>
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

/** For a service without a mail server: links begin with this address, and are handed over by hand. */
export const layerNoMailer = (publicUrl: string): Layer.Layer<Mailer | MailSettings> =>
  Layer.mergeAll(
    Layer.succeed(Mailer, { send: () => new MailerUnreachable({ code: null }) }),
    Layer.succeed(MailSettings, { publicUrl, sendsMail: false })
  )
