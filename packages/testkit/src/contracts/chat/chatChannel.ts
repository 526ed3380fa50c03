import { assert, layer as withLayer } from "@effect/vitest"
import {
  ChatChannel,
  type Outgoing,
  type OutgoingContent,
  parseProviderNumber,
  type Recipient,
  type Remedy
} from "@parley/domain"
import { Effect, type Layer, Redacted, Stream } from "effect"
import { freshText } from "../given.ts"
import { ChatProviderSide } from "./ChatProviderSide.ts"

const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => index % 251)

const message = (to: Recipient, content: OutgoingContent, overrides: Partial<Outgoing> = {}): Outgoing => ({
  to,
  content,
  replyTo: null,
  reference: freshText("reference"),
  ...overrides
})

const text = (to: Recipient, overrides: Partial<Outgoing> = {}) =>
  message(to, { kind: "text", text: "Your order is on its way 🥐" }, overrides)

const withoutPlus = (value: string) => value.replace(/^\+/u, "")

const remedies: ReadonlyArray<readonly [number, Remedy]> = [
  [130_429, "slow_down"],
  [131_056, "delay_recipient"],
  [131_048, "stop_account"],
  [131_026, "skip_recipient"],
  [131_049, "skip_for_now"],
  [131_050, "opt_out"],
  [132_001, "refresh_template"],
  [131_051, "give_up"],
  [190, "reauthorize"],
  [131_000, "retry"]
]

const newTemplate = (name: string) => ({
  name,
  language: "pt-BR",
  category: "utility" as const,
  named: false,
  parts: [
    { type: "header" as const, format: "text" as const, text: "News", example: [] },
    { type: "body" as const, text: "Hello {{1}}, your order {{2}} left.", example: { "1": "Ada", "2": "17" } },
    { type: "footer" as const, text: "Parley" },
    { type: "buttons" as const, buttons: [{ type: "quick_reply" as const, text: "Thanks" }] }
  ]
})

const filling = (name: string, body: Readonly<Record<string, string>>): OutgoingContent => ({
  kind: "template",
  template: { name, language: "pt-BR", named: false, header: { kind: "none" }, body, buttons: [] }
})

/** The promises of a chat channel, against an adapter and the provider that it talks to. Time is real: there are sockets. */
export const chatChannelContract = <E>(name: string, adapter: Layer.Layer<ChatChannel | ChatProviderSide, E>): void =>
  withLayer(adapter, { excludeTestServices: true, timeout: "60 seconds" })(`ChatChannel: ${name}`, (it) => {
    it.effect("sends every kind of message once, with its reference", () =>
      Effect.gen(function* () {
        const channel = yield* ChatChannel
        const provider = yield* ChatProviderSide
        const { line } = provider
        const to = yield* provider.customer
        const first = yield* channel.send(line, text(to))
        const mediaId = yield* channel.uploadMedia(line, { bytes, mimeType: "image/png", filename: "tea ☕.png" })
        const contents: ReadonlyArray<OutgoingContent> = [
          { kind: "image", mediaId, caption: "Tea", filename: null },
          { kind: "document", mediaId, caption: null, filename: "bill.pdf" },
          { kind: "audio", mediaId, caption: null, filename: null },
          {
            kind: "interactive",
            interactive: {
              type: "buttons",
              body: "Well?",
              buttons: [
                { id: "y", title: "Yes" },
                { id: "n", title: "No" }
              ]
            }
          },
          {
            kind: "interactive",
            interactive: {
              type: "list",
              body: "Which?",
              button: "Choose",
              sections: [{ title: "Sizes", rows: [{ id: "s", title: "Small", description: "As for one" }] }]
            }
          },
          { kind: "reaction", to: first.providerMessageId, emoji: "👍" },
          { kind: "location", latitude: 52.5, longitude: -13.4, name: "Bakery", address: null },
          { kind: "contacts", contacts: [{ name: "Ada Lovelace", phones: ["+491701234567", "+4930901820"] }] }
        ]
        const sent = yield* Effect.forEach(contents, (content) =>
          Effect.gen(function* () {
            const outgoing = message(yield* provider.customer, content)
            const { held, providerMessageId } = yield* channel.send(line, outgoing)
            assert.isFalse(held)
            return { outgoing, providerMessageId }
          })
        )
        assert.strictEqual(new Set(sent.map(({ providerMessageId }) => providerMessageId)).size, contents.length)
        const taken = yield* provider.taken
        for (const { outgoing, providerMessageId } of sent) {
          const found = taken.filter((entry) => entry.reference === outgoing.reference)
          assert.deepStrictEqual(found, [
            {
              providerMessageId,
              to: withoutPlus(outgoing.to.value),
              kind: outgoing.content.kind,
              reference: outgoing.reference
            }
          ])
        }
      })
    )

    it.effect("replies to a message, and tells that one was read", () =>
      Effect.gen(function* () {
        const channel = yield* ChatChannel
        const provider = yield* ChatProviderSide
        const { line } = provider
        const { providerMessageId } = yield* channel.send(line, text(yield* provider.customer))
        yield* channel.send(line, text(yield* provider.customer, { replyTo: providerMessageId }))
        yield* channel.markRead(line, providerMessageId)
      })
    )

    it.effect("reaches a customer who has no phone number", () =>
      Effect.gen(function* () {
        const channel = yield* ChatChannel
        const provider = yield* ChatProviderSide
        const to = yield* provider.customerWithoutPhone
        assert.strictEqual(to.kind, "chat_user")
        const outgoing = text(to)
        yield* channel.send(provider.line, outgoing)
        const taken = yield* provider.taken
        assert.strictEqual(taken.find(({ reference }) => reference === outgoing.reference)?.to, to.value)
      })
    )

    it.effect("says what follows from each refusal, and has sent nothing then", () =>
      Effect.gen(function* () {
        const channel = yield* ChatChannel
        const provider = yield* ChatProviderSide
        for (const [code, remedy] of remedies) {
          const outgoing = text(yield* provider.customer)
          yield* provider.refuseNext(code)
          const error = yield* Effect.flip(channel.send(provider.line, outgoing))
          assert.strictEqual(error._tag, "ChannelRefused")
          if (error._tag === "ChannelRefused") assert.deepStrictEqual([error.code, error.remedy], [code, remedy])
          const taken = yield* provider.taken
          assert.isFalse(taken.some(({ reference }) => reference === outgoing.reference))
        }
      })
    )

    it.effect("asks for a template where the window is closed", () =>
      Effect.gen(function* () {
        const channel = yield* ChatChannel
        const provider = yield* ChatProviderSide
        const error = yield* Effect.flip(channel.send(provider.line, text(yield* provider.silentCustomer)))
        assert.strictEqual(error._tag === "ChannelRefused" && error.remedy, "needs_template")
      })
    )

    it.effect("is in doubt when the answer is lost, and does not send again", () =>
      Effect.gen(function* () {
        const channel = yield* ChatChannel
        const provider = yield* ChatProviderSide
        const outgoing = text(yield* provider.customer)
        yield* provider.loseNext
        const error = yield* Effect.flip(channel.send(provider.line, outgoing))
        assert.strictEqual(error._tag, "ChannelInDoubt")
        const taken = yield* provider.taken
        assert.lengthOf(
          taken.filter(({ reference }) => reference === outgoing.reference),
          1
        )
      })
    )

    it.effect("brings a file up and down unchanged, and none that is too large", () =>
      Effect.gen(function* () {
        const channel = yield* ChatChannel
        const { file, line } = yield* ChatProviderSide
        const id = yield* file(bytes, "image/png")
        const down = yield* channel.downloadMedia(line, id, bytes.length)
        assert.deepStrictEqual([down.mimeType, down.size], ["image/png", bytes.length])
        assert.deepStrictEqual(Buffer.concat(yield* Stream.runCollect(down.bytes)), Buffer.from(bytes))
        const error = yield* Effect.flip(channel.downloadMedia(line, id, bytes.length - 1))
        assert.strictEqual(error._tag, "ChannelRefused")
        const absent = yield* Effect.flip(channel.downloadMedia(line, "499999999999999", 10))
        assert.strictEqual(absent._tag === "ChannelRefused" && absent.remedy, "give_up")
      })
    )

    it.effect("tells how a number is doing", () =>
      Effect.gen(function* () {
        const channel = yield* ChatChannel
        const health = yield* channel.health((yield* ChatProviderSide).line)
        assert.match(parseProviderNumber(health.displayPhone) ?? "none", /^\+\d+$/u)
        assert.deepStrictEqual(
          [health.quality, health.sending, health.throughputPerSecond, health.issues],
          ["green", "available", 80, []]
        )
      })
    )

    it.effect("submits, lists, fills and deletes a template", () =>
      Effect.gen(function* () {
        const channel = yield* ChatChannel
        const provider = yield* ChatProviderSide
        const { line } = provider
        const name = freshText("order").replaceAll("-", "_")
        const submitted = yield* channel.submitTemplate(line, newTemplate(name))
        assert.deepStrictEqual([submitted.status, submitted.category], ["pending", "utility"])
        const again = yield* Effect.flip(channel.submitTemplate(line, newTemplate(name)))
        assert.strictEqual(again._tag, "ChannelRefused")
        const to = yield* provider.silentCustomer
        const early = yield* Effect.flip(channel.send(line, message(to, filling(name, { "1": "Ada", "2": "17" }))))
        assert.strictEqual(early._tag === "ChannelRefused" && early.remedy, "refresh_template")

        yield* provider.approve(name, "pt-BR")
        const listed = yield* Stream.runCollect(channel.templates(line))
        const found = listed.find((template) => template.name === name)
        assert.deepStrictEqual(found, {
          ...newTemplate(name),
          externalId: submitted.externalId,
          status: "approved",
          rejectionReason: null,
          quality: "unknown"
        })
        const short = yield* Effect.flip(channel.send(line, message(to, filling(name, { "1": "Ada" }))))
        assert.strictEqual(short._tag === "ChannelRefused" && short.code, 132_000)
        yield* channel.send(line, message(to, filling(name, { "2": "17", "1": "Ada" })))
        yield* provider.holdNext
        const held = yield* channel.send(
          line,
          message(yield* provider.silentCustomer, filling(name, { "1": "Ada", "2": "18" }))
        )
        assert.isTrue(held.held)

        yield* channel.deleteTemplate(line, name, submitted.externalId)
        const left = yield* Stream.runCollect(channel.templates(line))
        assert.isFalse(left.some((template) => template.name === name))
      })
    )

    it.effect("turns a signup's code into a right once", () =>
      Effect.gen(function* () {
        const channel = yield* ChatChannel
        const provider = yield* ChatProviderSide
        const code = yield* provider.signupCode
        const accessToken = yield* channel.exchangeSignupCode(code)
        yield* channel.subscribe({ ...provider.line, accessToken })
        yield* channel.health({ ...provider.line, accessToken })
        const error = yield* Effect.flip(channel.exchangeSignupCode(code))
        assert.strictEqual(error._tag, "ChannelRefused")
      })
    )

    it.effect("says so of a number that there is not", () =>
      Effect.gen(function* () {
        const { unknownLine } = yield* ChatProviderSide
        const error = yield* Effect.flip((yield* ChatChannel).health(unknownLine))
        assert.include(error, { _tag: "ChannelRefused", remedy: "give_up" })
      })
    )

    it.effect("says that the account must be connected again when its right has ended", () =>
      Effect.gen(function* () {
        const channel = yield* ChatChannel
        const { customer, endedLine } = yield* ChatProviderSide
        const calls = [
          channel.health(endedLine),
          channel.send(endedLine, text(yield* customer)),
          channel.subscribe(endedLine),
          Stream.runCollect(channel.templates(endedLine))
        ]
        for (const call of calls) {
          const error = yield* Effect.flip<unknown, unknown, never>(call)
          assert.include(error, { _tag: "ChannelRefused", remedy: "reauthorize" })
        }
      })
    )

    it.effect("knows what the provider has signed", () =>
      Effect.gen(function* () {
        const channel = yield* ChatChannel
        const { customer, secret, writes } = yield* ChatProviderSide
        const { body, signature } = yield* writes(yield* customer, "Hi")
        const other = Redacted.make("another secret")
        assert.isTrue(channel.isSigned([secret], body, signature))
        assert.isTrue(channel.isSigned([other, secret], body, signature))
        assert.isTrue(channel.isSigned([secret, other], body, signature))
        assert.isFalse(channel.isSigned([other], body, signature))
        assert.isFalse(channel.isSigned([], body, signature))
        for (const wrong of [undefined, "", "sha256=", signature.slice(7), `${signature}0`, ` ${signature}`]) {
          assert.isFalse(channel.isSigned([secret], body, wrong))
        }
        assert.isFalse(channel.isSigned([secret], body.with(0, (body[0] ?? 0) ^ 1), signature))
        assert.isFalse(channel.isSigned([secret], body.slice(1), signature))
      })
    )

    it.effect("reads who wrote what", () =>
      Effect.gen(function* () {
        const channel = yield* ChatChannel
        const provider = yield* ChatProviderSide
        for (const from of [yield* provider.customer, yield* provider.customerWithoutPhone]) {
          const { body } = yield* provider.writes(from, "Ça va ? 🥐")
          const events = channel.read(body)
          const [event, ...more] = events ?? []
          assert.lengthOf(more, 0)
          assert.strictEqual(event?.kind, "message")
          if (event?.kind !== "message") continue
          assert.deepStrictEqual(event.content, { kind: "text", text: "Ça va ? 🥐" })
          assert.strictEqual(event.phoneId, provider.line.phoneId)
          assert.strictEqual(from.kind === "phone" ? event.from.phone : event.from.chatUser, from.value)
        }
      })
    )

    it.effect("takes a delivery apart into pieces that tell the same by themselves", () =>
      Effect.gen(function* () {
        const channel = yield* ChatChannel
        const provider = yield* ChatProviderSide
        const { body } = yield* provider.writes(yield* provider.customer, "Ça va ? 🥐")
        const parts = channel.parts(body)
        assert.isNotNull(parts)
        assert.isNotEmpty(parts)
        for (const { phoneId } of parts ?? []) assert.strictEqual(phoneId, provider.line.phoneId)
        assert.deepStrictEqual(
          parts?.flatMap((part) => channel.read(part.body) ?? []),
          channel.read(body)
        )
      })
    )

    it.effect("reads nothing in what is not a delivery", () =>
      Effect.gen(function* () {
        const channel = yield* ChatChannel
        for (const body of ["", "{", "null", "[]", "{}", '{"object":"page","entry":[]}', "\u0000"]) {
          assert.isNull(channel.read(new TextEncoder().encode(body)))
          assert.isNull(channel.parts(new TextEncoder().encode(body)))
        }
      })
    )
  })
