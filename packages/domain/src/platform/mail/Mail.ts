import { Context, type Effect, Layer, Schema } from "effect"
import { Uuid } from "../../kernel/index.ts"
import { MailerUnreachable, type MailRefused } from "./errors.ts"

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

/** What a mail says: paragraphs, one of which is the link. */
export interface Letter {
  readonly subject: string
  readonly before: ReadonlyArray<string>
  readonly link: { readonly label: string; readonly url: string }
  readonly after: ReadonlyArray<string>
}

const longest = 60

/**
 * A name that somebody else chose, as it may stand in a mail: one line, short, without invisible characters, and without
 * anything that a mail program would make a link of.
 */
export const harmless = (name: string): string => {
  const line = name
    .replaceAll(/[\p{C}\p{Z}]+/gu, " ")
    .replaceAll(/[.:/\\@。．｡]+(?=\S)/gu, (separator) => `${separator} `)
    .trim()
  const characters = Array.from(line)
  return characters.length > longest
    ? `${characters
        .slice(0, longest - 1)
        .join("")
        .trimEnd()}…`
    : line
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

const escape = (text: string) => text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character)

const paragraph = (text: string) => `<p>${escape(text)}</p>`

/** The text and the HTML of a letter: the same words, the link once. */
export const compose = ({ after, before, link, subject }: Letter) => ({
  subject,
  text: `${[...before, link.url, ...after].join("\n\n")}\n`,
  html: [
    '<!doctype html><html lang="en"><body style="font-family:sans-serif;line-height:1.5">',
    ...before.map(paragraph),
    `<p><a href="${escape(link.url)}">${escape(link.label)}</a></p>`,
    ...after.map(paragraph),
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

/** For a service without a mail server: links begin with this address, and are handed over by hand. */
export const layerNoMail = (publicUrl: string): Layer.Layer<Mailer | MailSettings> =>
  Layer.mergeAll(
    Layer.succeed(Mailer, { send: () => new MailerUnreachable({ code: null }) }),
    Layer.succeed(MailSettings, { publicUrl, sendsMail: false })
  )
