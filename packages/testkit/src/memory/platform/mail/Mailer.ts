import { type EmailMessage, Mailer, MailerUnreachable, MailRefused } from "@parley/domain/platform"
import { Context, Effect, Layer } from "effect"

/** Scripted outcome of the next mail instead of sending. */
export type NextMail = "refused" | "unreachable"

/** The mail server in memory: accepted mails, and the interface for tests. */
export class SentMails extends Context.Service<
  SentMails,
  {
    /** In sending order. */
    readonly all: Effect.Effect<ReadonlyArray<EmailMessage>>
    /** Returns the mails to this mailbox. */
    readonly to: (email: string) => Effect.Effect<ReadonlyArray<EmailMessage>>
    /** Happens to the next mail. */
    readonly next: (what: NextMail) => Effect.Effect<void>
  }
>()("@parley/testkit/memory/platform/mail/SentMails") {}

const make = () => {
  const sent: Array<EmailMessage> = []
  const script: Array<NextMail> = []
  const mailer = Mailer.of({
    send: (mail) =>
      Effect.suspend((): Effect.Effect<void, MailRefused | MailerUnreachable> => {
        const next = script.shift()
        if (next === "refused") return new MailRefused({ code: 550 })
        if (next === "unreachable") return new MailerUnreachable({ code: null })
        sent.push(mail)
        return Effect.void
      })
  })
  const kept = SentMails.of({
    all: Effect.sync(() => [...sent]),
    to: (email) => Effect.sync(() => sent.filter(({ to }) => to === email)),
    next: (what) =>
      Effect.sync(() => {
        script.push(what)
      })
  })
  return { mailer, kept }
}

/** A mailer that sends nothing and stores its mails. */
export const layer: Layer.Layer<Mailer | SentMails> = Layer.unwrap(
  Effect.sync(() => {
    const { kept, mailer } = make()
    return Layer.mergeAll(Layer.succeed(Mailer, mailer), Layer.succeed(SentMails, kept))
  })
)
