import { NodeHttpClient } from "@effect/platform-node"
import { assert, describe, it, layer } from "@effect/vitest"
import type { TemplateSubmission } from "@parley/domain/messaging"
import { layer as whatsApp } from "@parley/provider-adapters/chat/whatsapp"
import { MemoryChat } from "@parley/testkit"
import { ChatSimulator } from "@parley/simulators/chat"
import { Effect, Layer, Redacted, Stream } from "effect"
import { messageOut } from "../../src/chat/whatsapp/outgoing.ts"
import { templateIn } from "../../src/chat/whatsapp/templates.ts"
import { line, number, quiet, simulated } from "./simulated.ts"

const handles = new Map<string, string>()

const rich: TemplateSubmission = {
  name: "rich",
  language: "en-US",
  category: "marketing",
  components: {
    header: { format: "text", text: "For {{first_name}}", examples: { first_name: "Ada" } },
    body: { text: "Hi {{first_name}}, {{code}} is yours.", examples: { first_name: "Ada", code: "X1" } },
    footer: { text: "Bye" },
    buttons: [
      { type: "quick_reply", text: "Stop" },
      { type: "url", text: "Shop", url: "https://shop.test/{{1}}", example: "https://shop.test/a" },
      { type: "phone_number", text: "Call", phone: "+15550100001" },
      { type: "copy_code", example: "X1" }
    ]
  },
  timeToLive: null,
  handles
}

const plain = (index: number): TemplateSubmission => ({
  name: `plain_${index}`,
  language: "en",
  category: "utility",
  components: { body: { text: "Hello" } },
  timeToLive: null,
  handles
})

describe("A template that the provider keeps", () => {
  const kept = (...components: ReadonlyArray<object>) => {
    const [template] = templateIn({ id: "1", name: "a", language: "en", category: "MARKETING", components })
    return template
  }
  const body = { type: "BODY", text: "Hi" }

  it("keeps unknown components in the form of the provider", () => {
    const link = { type: "URL", text: "Go", url: "https://a.test/{{1}}", example: ["https://a.test/1"] }
    for (const odd of [
      { type: "PARALLAX" },
      { type: "HEADER", format: "HOLOGRAM" },
      { type: "BUTTONS", buttons: [{ type: "PAGE", text: "Book" }, link] },
      { type: "CAROUSEL", cards: [{ components: [{ type: "HEADER", format: "AUDIO" }] }] },
      { type: "FOOTER", text: "a".repeat(61) }
    ]) {
      assert.deepStrictEqual(kept(body, odd)?.components, { body: { text: "Hi" }, unsupported: [odd] })
    }
    assert.deepStrictEqual(kept(body, { type: "BUTTONS", buttons: [link] })?.components.buttons, [
      { type: "url", text: "Go", url: "https://a.test/{{1}}", example: "https://a.test/1" }
    ])
  })

  it.each([
    ["https://www.whatsapp.com/otp/code/?otp_type=ONE_TAP&code=otp{{1}}", "one_tap"],
    ["https://www.whatsapp.com/otp/code/?code=otp{{1}}", "copy_code"]
  ] as const)("is an authentication template with the button %s", (url, transfer) => {
    const button = { type: "URL", text: "Copy code", url }
    assert.strictEqual(
      kept(body, { type: "BUTTONS", buttons: [button] })?.components.authentication?.transfer,
      transfer
    )
  })
})

describe("A template with a file in its header", () => {
  const filled = (media: "document" | "image") => {
    const header = { kind: "media", media, mediaId: "4711", filename: "invoice.pdf" } as const
    const template = { name: "a", language: "en", named: false, header, body: {}, buttons: [] } as const
    const to = { kind: "phone", value: "+15550100001" } as const
    const content = { kind: "template", template } as const
    return JSON.stringify(messageOut({ to, content, replyTo: null, reference: "reference" }))
  }

  it("says what a document is called, and nothing of the sort for a picture, which the provider refuses", () => {
    assert.include(filled("document"), '{"type":"document","document":{"id":"4711","filename":"invoice.pdf"}}')
    assert.include(filled("image"), '{"type":"image","image":{"id":"4711"}}')
  })
})

describe("Templates over the wire", () => {
  layer(simulated({ ...quiet, reviewMillis: 0 }), { excludeTestServices: true })((it) => {
    it.effect("come back as they were submitted, and are filled by name", () =>
      Effect.gen(function* () {
        const channel = yield* MemoryChat.whole
        const simulator = yield* ChatSimulator
        const { externalId } = yield* channel.templates.submit(line, rich)
        simulator.decide(number.businessId, "rich", "en_US", "APPROVED")
        const kept = yield* Stream.runCollect(channel.templates.list(line))
        const { handles: _, ...submitted } = rich
        assert.deepStrictEqual(kept, [
          {
            ...submitted,
            externalId,
            status: "approved",
            rejectionReason: null,
            quality: "unknown",
            qualityAt: null,
            announcedCategory: null,
            libraryName: null
          }
        ])
        const filled = (body: Readonly<Record<string, string>>) =>
          channel.sending.send(line, {
            to: { kind: "phone", value: "+15557654321" },
            content: {
              kind: "template",
              template: {
                name: "rich",
                language: "en-US",
                named: true,
                header: { kind: "text", values: { first_name: "Ada" } },
                body,
                buttons: [
                  { index: 1, type: "url", value: "a" },
                  { index: 3, type: "copy_code", value: "X1" },
                  { index: 0, type: "quick_reply", value: "stop" }
                ]
              }
            },
            replyTo: null,
            reference: "reference"
          })
        const wrong = yield* Effect.flip(filled({ first_name: "Ada", cod: "X1" }))
        assert.include(wrong, { _tag: "ChannelRefused", code: 132_000 })
        assert.isFalse((yield* filled({ code: "X1", first_name: "Ada" })).held)
      })
    )

    it.effect("are listed page by page, every one once", () =>
      Effect.gen(function* () {
        const channel = yield* MemoryChat.whole
        const names = Array.from({ length: 230 }, (_, index) => plain(index))
        yield* Effect.forEach(names, (template) => channel.templates.submit(line, template), { concurrency: 8 })
        const kept = yield* Stream.runCollect(channel.templates.list(line))
        assert.lengthOf(kept, 231)
        assert.lengthOf(new Set(kept.map(({ name }) => name)), 231)
      })
    )

    it.effect("and no code is exchanged where no app is configured", () =>
      Effect.gen(function* () {
        const { url } = yield* ChatSimulator
        const error = yield* Effect.flatMap(MemoryChat.whole, (channel) =>
          Effect.flip(channel.signup.exchangeCode(Redacted.make("code")))
        ).pipe(Effect.provide(whatsApp({ baseUrl: url }).pipe(Layer.provide(NodeHttpClient.layerUndici))))
        assert.strictEqual(error._tag, "ChannelRefused")
      })
    )
  })
})
