import { assert, describe, it } from "@effect/vitest"
import { EmailMessage, Mailer, EmailMessageId } from "@parley/domain/platform"
import { mailerContract, MailServerSide } from "@parley/testkit/contracts"
import { type RunningSmtpServer, startSmtpServer } from "@parley/simulators/mail"
import { Effect, Layer, Redacted } from "effect"
import { isMailbox, layer, senderOf, smtpServerAddress } from "../../src/mail/Smtp.ts"

const from = { name: "Parley", address: "no-reply@parley.example" }

const serverAt = (port: number, login = "") => {
  const server = smtpServerAddress(Redacted.make(`smtp://${login}127.0.0.1:${port}`))
  if (server === null) throw new Error("This is no address.")
  return server
}

const sideOf = (server: RunningSmtpServer) =>
  MailServerSide.of({
    takenFor: (email) =>
      Effect.sync(() =>
        server
          .received()
          .filter(({ recipients }) => recipients.includes(email))
          .map(({ headers, html, subject, text }) => ({ id: headers.get("message-id") ?? "", subject, text, html }))
      ),
    refuseNext: Effect.sync(() => server.answerNext("RCPT", "550 5.1.1 https://parley.example/#token=secret")),
    deferNext: Effect.sync(() => server.answerNext("END OF DATA", "451 4.7.1 later"))
  })

mailerContract(
  "over SMTP",
  Layer.unwrap(
    Effect.map(startSmtpServer, (server) =>
      Layer.mergeAll(layer({ server: serverAt(server.port), from }), Layer.succeed(MailServerSide, sideOf(server)))
    )
  )
)

const mail = (to = "ada@people.test") =>
  new EmailMessage({
    id: EmailMessageId.make("01934a10-61a8-7d22-9e4c-1b2c3d4e5f60"),
    to,
    subject: "Hello",
    text: "https://parley.example/password/reset#token=canary-token",
    html: "<p>Hello</p>"
  })

const send = (what: EmailMessage, options: Parameters<typeof layer>[0]) =>
  Effect.flatMap(Mailer, (mailer) => mailer.send(what)).pipe(Effect.provide(layer(options)))

describe("mail over SMTP", () => {
  it.live("contains its sender, a no-reply header, and nothing of the password", () =>
    Effect.gen(function* () {
      const server = yield* startSmtpServer
      yield* send(mail(), { server: serverAt(server.port, "user:canary%40password@"), from })
      const [received] = server.received()
      assert.strictEqual(received?.from, from.address)
      assert.deepStrictEqual(received?.recipients, ["ada@people.test"])
      assert.strictEqual(received?.headers.get("from"), "Parley <no-reply@parley.example>")
      assert.strictEqual(received?.headers.get("auto-submitted"), "auto-generated")
      assert.strictEqual(received?.headers.get("message-id"), "<01934a10-61a8-7d22-9e4c-1b2c3d4e5f60@parley.example>")
      assert.include(server.commands().join("\n"), `AUTH PLAIN ${btoa("\0user\0canary@password")}`)
      assert.notInclude(received?.raw, "canary@password")
    })
  )

  it.live.each([
    "ada@people.test>\r\nRCPT TO:<all@victims.example",
    "ada@people.test, all@victims.example",
    "a,b@people.test",
    '"a b"@people.test',
    "<ada@people.test>",
    "ada",
    ""
  ])("%j is no mailbox, and no delivery is attempted", (to) =>
    Effect.gen(function* () {
      const server = yield* startSmtpServer
      assert.isFalse(isMailbox(to))
      const failure = yield* Effect.flip(send(mail(to), { server: serverAt(server.port), from }))
      assert.strictEqual(failure._tag, "MailRefused")
      assert.lengthOf(server.commands(), 0)
    })
  )

  it.live.each(["CONNECT", "EHLO", "MAIL", "DATA", "END OF DATA"])(
    "does not wait for ever when %s is not answered",
    (command) =>
      Effect.gen(function* () {
        const server = yield* startSmtpServer
        server.ignoreNext(command)
        const failure = yield* Effect.flip(send(mail(), { server: serverAt(server.port), from, timeoutMillis: 150 }))
        assert.strictEqual(failure._tag, "MailerUnreachable")
        assert.lengthOf(server.received(), 0)
      })
  )

  it.live.each<readonly [string, string]>([
    ["EHLO", "554 go away"],
    ["AUTH", "535 wrong password"],
    ["MAIL", "550 you may not send from there"],
    ["RCPT", "450 busy"],
    ["DATA", "421 closing"]
  ])("tries again after %s was answered %s", ([command, line]) =>
    Effect.gen(function* () {
      const server = yield* startSmtpServer
      server.answerNext(command, line)
      if (command === "EHLO") server.answerNext("HELO", line)
      const failure = yield* Effect.flip(send(mail(), { server: serverAt(server.port, "user:pass@"), from }))
      assert.strictEqual(failure._tag, "MailerUnreachable")
    })
  )

  it.live("keeps nothing of what a server says: it may repeat the link", () =>
    Effect.gen(function* () {
      const server = yield* startSmtpServer
      server.answerNext("END OF DATA", "554 spam: https://parley.example/password/reset#token=canary-token")
      const failure = yield* Effect.flip(send(mail(), { server: serverAt(server.port, "user:canary@"), from }))
      assert.deepStrictEqual({ ...failure }, { _tag: "MailRefused", code: 554 } as never)
      assert.notInclude(JSON.stringify(failure), "canary")
    })
  )

  it.live("says nothing in the clear to a server that knows no TLS", () =>
    Effect.gen(function* () {
      const server = yield* startSmtpServer
      const failure = yield* Effect.flip(
        send(mail(), { server: { ...serverAt(server.port, "user:canary@"), requireTLS: true }, from })
      )
      assert.strictEqual(failure._tag, "MailerUnreachable")
      assert.lengthOf(server.received(), 0)
      assert.isTrue(server.commands().every((line) => /^(?:EHLO|STARTTLS|QUIT)/u.test(line)))
    })
  )

  it.live("is unreachable where nothing listens", () =>
    Effect.gen(function* () {
      const { port } = yield* Effect.scoped(startSmtpServer)
      const failure = yield* Effect.flip(send(mail(), { server: serverAt(port), from }))
      assert.deepStrictEqual([failure._tag, failure.code], ["MailerUnreachable", null])
    })
  )
})

describe("the address of a mail server", () => {
  const read = (text: string) => {
    const address = smtpServerAddress(Redacted.make(text))
    return address === null
      ? null
      : { ...address, auth: address.auth && [address.auth.user, Redacted.value(address.auth.pass)] }
  }

  it("requires TLS for remote servers", () => {
    assert.deepStrictEqual(read("smtps://ada:p%3Aw@mail.example"), {
      host: "mail.example",
      port: 465,
      secure: true,
      requireTLS: false,
      auth: ["ada", "p:w"]
    })
    assert.deepStrictEqual(read("smtp://mail.example:2525/"), {
      host: "mail.example",
      port: 2525,
      secure: false,
      requireTLS: true,
      auth: null
    })
    assert.strictEqual(read("smtp://mail.example")?.port, 587)
    for (const host of ["127.0.0.1", "localhost", "[::1]"]) assert.isFalse(read(`smtp://${host}:25`)?.requireTLS)
  })

  it.each([
    "mail.example:25",
    "http://mail.example",
    "smtp://",
    "smtp://mail.example?requireTLS=false",
    "smtp://mail.example/path",
    "smtp://%E0%A4%A@mail.example",
    "smtp://mail.example#x"
  ])("%s is none", (text) => assert.isNull(read(text)))
})

describe("whom mails come from", () => {
  it("is an address, or a name and one", () => {
    assert.deepStrictEqual(senderOf("no-reply@shop.example"), { name: "", address: "no-reply@shop.example" })
    assert.deepStrictEqual(senderOf("The Shop <no-reply@shop.example>"), {
      name: "The Shop",
      address: "no-reply@shop.example"
    })
  })

  it.each(["", "shop", "a@b, c@d", "Shop <a@b> <c@d>", "Sh\nop <a@b.example>", "<>", 'x" <a@b.example>'])(
    "%j is none",
    (text) => assert.isNull(senderOf(text))
  )
})
