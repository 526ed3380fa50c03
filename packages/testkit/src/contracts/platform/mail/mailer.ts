import { assert, layer as withLayer } from "@effect/vitest"
import { renderEmail, escapeForMail, EmailMessage, Mailer, EmailMessageId } from "@parley/domain/platform"
import { Context, Effect, type Layer } from "effect"
import { freshId, freshText } from "../../given.ts"

/** The other side of a mailer, which the contract plays: the server that takes mails. */
export class MailServerSide extends Context.Service<
  MailServerSide,
  {
    /** Accepted emails of this mailbox. */
    readonly takenFor: (
      email: string
    ) => Effect.Effect<
      ReadonlyArray<{ readonly id: string; readonly subject: string; readonly text: string; readonly html: string }>
    >
    /** The next mail is refused for good. */
    readonly refuseNext: Effect.Effect<void>
    /** The next mail is not taken this time. */
    readonly deferNext: Effect.Effect<void>
  }
>()("@parley/testkit/contracts/MailServerSide") {}

const mailTo = (to: string, overrides: Partial<EmailMessage> = {}) =>
  new EmailMessage({
    id: freshId(EmailMessageId),
    to,
    ...renderEmail({
      subject: "Your invitation to Bäckerei 🥐",
      before: ["Hello “you”, <b>this</b> & that.", "."],
      link: { label: "Accept", url: `https://parley.example/invitations/accept#token=${"x".repeat(43)}` },
      after: ["..", "From: somebody@else.example"]
    }),
    ...overrides
  })

const freshMailbox = () => `${freshText("m")}@contract.test`

/** Contract of a mailer, for an adapter and its server. Uses real time because of sockets. */
export const mailerContract = <E>(name: string, adapter: Layer.Layer<Mailer | MailServerSide, E>): void =>
  withLayer(adapter, { excludeTestServices: true, timeout: "60 seconds" })(`Mailer: ${name}`, (it) => {
    it.effect("hands over a mail whole, once, to its one recipient", () =>
      Effect.gen(function* () {
        const mail = mailTo(freshMailbox())
        yield* (yield* Mailer).send(mail)
        const [taken, ...others] = yield* (yield* MailServerSide).takenFor(mail.to)
        assert.lengthOf(others, 0)
        assert.include(taken?.id, mail.id)
        assert.strictEqual(taken?.subject, mail.subject)
        assert.strictEqual(taken?.text.trimEnd(), mail.text.trimEnd())
        assert.strictEqual(taken?.html.trimEnd(), mail.html.trimEnd())
      })
    )

    it.effect("keeps the id of a mail that is sent again", () =>
      Effect.gen(function* () {
        const mail = mailTo(freshMailbox())
        yield* (yield* Mailer).send(mail)
        yield* (yield* Mailer).send(mail)
        const taken = yield* (yield* MailServerSide).takenFor(mail.to)
        assert.lengthOf(new Set(taken.map(({ id }) => id)), 1)
        assert.lengthOf(taken, 2)
      })
    )

    it.effect("distinguishes permanent from temporary refusals", () =>
      Effect.gen(function* () {
        const mailer = yield* Mailer
        const server = yield* MailServerSide
        yield* server.refuseNext
        assert.strictEqual((yield* Effect.flip(mailer.send(mailTo(freshMailbox()))))._tag, "MailRefused")
        yield* server.deferNext
        assert.strictEqual((yield* Effect.flip(mailer.send(mailTo(freshMailbox()))))._tag, "MailerUnreachable")
        yield* mailer.send(mailTo(freshMailbox()))
      })
    )

    it.effect("sends the words of a hostile name as words", () =>
      Effect.gen(function* () {
        const name = "Acme\r\nBcc: all@victims.example\u2028<script>alert(1)</script> https://evil.example"
        const mail = mailTo(freshMailbox(), { subject: `Your invitation to ${escapeForMail(name)}` })
        yield* (yield* Mailer).send(mail)
        const server = yield* MailServerSide
        assert.lengthOf(yield* server.takenFor("all@victims.example"), 0)
        assert.strictEqual((yield* server.takenFor(mail.to))[0]?.subject, mail.subject)
      })
    )
  })
