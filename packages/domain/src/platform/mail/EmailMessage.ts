import { Context, type Effect, Layer, Schema } from "effect"
import { Uuid } from "../../kernel/index.ts"
import { MailerUnreachable, type MailRefused } from "./errors.ts"

export const EmailMessageId = Uuid.pipe(Schema.brand("MailId"))
export type EmailMessageId = typeof EmailMessageId.Type

/** Subject of a mail: one line, because no part of it must become a header. */
export const EmailSubject = Schema.String.check(
  Schema.isPattern(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]{1,200}$/u, { message: "Expected one line of at most 200 characters" })
)

/** Mail to one person. Its id is the same in every attempt, because mailboxes deduplicate by it. */
export class EmailMessage extends Schema.Class<EmailMessage>("Mail")({
  id: EmailMessageId,
  to: Schema.String,
  subject: EmailSubject,
  text: Schema.String,
  /** The same content as simple HTML. */
  html: Schema.String
}) {}

/** Content of a mail: paragraphs and one link. */
export interface EmailTemplate {
  readonly subject: string
  readonly before: ReadonlyArray<string>
  readonly link: { readonly label: string; readonly url: string }
  readonly after: ReadonlyArray<string>
}

const maxNameLength = 60

/**
 * Returns a user-defined name for use in a mail: one line, short, without invisible characters, and without text that a mail program would turn into
 * a link.
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

/** Renders the text and the HTML of a mail, with the same content and one link. */
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

/** Sends mails to the mail server. */
export class Mailer extends Context.Service<
  Mailer,
  {
    /**
     * Sends the mail within half a minute. No part of it can become a header or another recipient. A failure contains no secret: neither the link in
     * the mail nor the password of the server.
     */
    readonly send: (mail: EmailMessage) => Effect.Effect<void, MailRefused | MailerUnreachable>
  }
>()("@parley/domain/platform/mail/Mailer") {}

/** Mail configuration of this service. */
export class MailSettings extends Context.Service<
  MailSettings,
  {
    /** Base URL of links in mails, without a trailing slash. It is configured, never taken from a request. */
    readonly publicUrl: string
    /** Whether a mail server is configured. */
    readonly sendsMail: boolean
  }
>()("@parley/domain/platform/mail/MailSettings") {}

/** Layer for a service without a mail server. Links start with this URL and are given to people manually. */
export const layerNoMailer = (publicUrl: string): Layer.Layer<Mailer | MailSettings> =>
  Layer.mergeAll(
    Layer.succeed(Mailer, { send: () => new MailerUnreachable({ code: null }) }),
    Layer.succeed(MailSettings, { publicUrl, sendsMail: false })
  )
