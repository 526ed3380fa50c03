import { assert, layer as withLayer } from "@effect/vitest"
import type { ChatChannel, Interactive, ProviderConnection, OutgoingContent } from "@parley/domain/messaging"
import { Effect, type Layer } from "effect"
import { bytes, message, text } from "./outgoing.ts"
import { ChannelSide, SendingSide } from "./sides.ts"

/** One of each interactive message that every business can send. */
const interactivesFor = (mediaId: string): ReadonlyArray<Interactive> => {
  const image = { type: "image", mediaId } as const
  const buttons = [
    { id: "y", title: "Yes" },
    { id: "n", title: "No" }
  ]
  const flow = { type: "flow", body: "Book", token: "t", label: "Book", mode: "published" } as const
  return [
    { type: "buttons", body: "Well?", buttons },
    { type: "buttons", header: image, body: "Well?", footer: "Bakery", buttons },
    {
      type: "list",
      header: { type: "text", text: "Cakes" },
      body: "Which?",
      footer: "Bakery",
      button: "Choose",
      sections: [{ title: "Sizes", rows: [{ id: "s", title: "Small", description: "As for one" }] }]
    },
    { type: "cta_url", header: image, body: "Our menu", label: "Open", url: "https://bakery.example/menu" },
    { type: "location_request", body: "Where to?" },
    { type: "contact_request", body: "Which number?" },
    { ...flow, flow: { id: "1" }, action: "navigate", screen: "FIRST", data: { size: "s" } },
    { ...flow, flow: { name: "booking" }, action: "data_exchange" },
    { type: "call_permission_request", body: "May we call?" },
    { type: "voice_call", body: "Call us", label: "Call", ttlMinutes: 60, payload: "p" },
    { type: "product", catalogId: "1", productId: "rye" },
    {
      type: "product_list",
      header: { type: "text", text: "Bread" },
      body: "Today",
      catalogId: "1",
      sections: [{ title: "Rye", productIds: ["rye", "spelt"] }]
    },
    { type: "catalog", body: "All", thumbnailProductId: "rye" },
    { type: "product_carousel", body: "All", catalogId: "1", productIds: ["rye", "spelt"] },
    {
      type: "carousel",
      body: "All",
      cards: ["rye", "spelt"].map((body) => ({
        header: image,
        body,
        button: { label: "Open", url: "https://bakery.example" }
      }))
    },
    {
      type: "carousel",
      body: "All",
      cards: ["rye", "spelt"].map((id) => ({ header: image, body: id, replies: [{ id, title: "Buy" }] }))
    }
  ]
}

/** One of each kind of message, and some in two forms. */
const contentsFor = Effect.fnUntraced(function* ({ media }: ChatChannel, line: ProviderConnection, answered: string) {
  const upload = (mimeType: string) =>
    media === null ? Effect.succeed("none") : media.upload(line, { bytes, mimeType, filename: "tea ☕" })
  const mediaId = yield* upload("image/png")
  const documentId = yield* upload("application/pdf")
  const audioId = yield* upload("audio/ogg")
  const contents: ReadonlyArray<OutgoingContent> = [
    { kind: "text", text: "See https://bakery.example", linkPreview: true },
    { kind: "provider", payload: { type: "text", text: { body: "As it is" } } },
    { kind: "image", mediaId, caption: "Tea", filename: null },
    { kind: "document", mediaId: documentId, caption: null, filename: "bill.pdf" },
    { kind: "audio", mediaId: audioId, caption: null, filename: null },
    { kind: "audio", mediaId: audioId, caption: null, filename: null, voice: true },
    ...interactivesFor(mediaId).map((interactive) => ({ kind: "interactive", interactive }) as const),
    { kind: "reaction", to: answered, emoji: "👍" },
    { kind: "location", latitude: 52.5, longitude: -13.4, name: "Bakery", address: null },
    {
      kind: "contacts",
      contacts: [
        {
          name: "Ada Lovelace",
          nameParts: { first: "Ada", last: "Lovelace" },
          phones: ["+491701234567", "+4930901820"]
        }
      ]
    }
  ]
  return [{ kind: "text", text: "Hi" } as const, ...contents]
})

const withoutPlus = (value: string) => value.replace(/^\+/u, "")

/** Contract of sending messages through an adapter to its provider. Uses real time because of sockets. */
export const messageSendingContract = <E>(name: string, adapter: Layer.Layer<ChannelSide | SendingSide, E>): void =>
  withLayer(adapter, { excludeTestServices: true, timeout: "60 seconds" })(`MessageSending: ${name}`, (it) => {
    it.effect("sends every kind of message that it takes once, with its reference", () =>
      Effect.gen(function* () {
        const { channel, customer, line } = yield* ChannelSide
        const { sending } = channel
        const first = yield* sending.send(line, text(yield* customer))
        const contents = (yield* contentsFor(channel, line, first.providerMessageId)).filter(({ kind }) =>
          sending.kinds.has(kind)
        )
        const sent = yield* Effect.forEach(contents, (content) =>
          Effect.gen(function* () {
            const outgoing = message(yield* customer, content)
            const { held, providerMessageId } = yield* sending.send(line, outgoing)
            assert.isFalse(held)
            return { outgoing, providerMessageId }
          })
        )
        assert.strictEqual(new Set(sent.map(({ providerMessageId }) => providerMessageId)).size, contents.length)
        const taken = yield* (yield* SendingSide).taken
        for (const { outgoing, providerMessageId } of sent) {
          const found = taken.filter((entry) => entry.reference === outgoing.reference)
          assert.deepStrictEqual(found, [
            {
              providerMessageId,
              to: withoutPlus(outgoing.to.value),
              kind: outgoing.content.kind === "provider" ? "text" : outgoing.content.kind,
              reference: outgoing.reference
            }
          ])
        }
      })
    )

    it.effect("refuses a kind that it does not take, and has sent nothing then", () =>
      Effect.gen(function* () {
        const { channel, customer, line } = yield* ChannelSide
        const contents = yield* contentsFor(channel, line, "1")
        for (const content of contents.filter(({ kind }) => !channel.sending.kinds.has(kind))) {
          const outgoing = message(yield* customer, content)
          const error = yield* Effect.flip(channel.sending.send(line, outgoing))
          assert.include(error, { _tag: "ChannelRefused", remedy: "give_up" })
          const taken = yield* (yield* SendingSide).taken
          assert.isFalse(taken.some(({ reference }) => reference === outgoing.reference))
        }
      })
    )

    it.effect("replies to a message, and shows that one was read and that an answer is being written", () =>
      Effect.gen(function* () {
        const { channel, customer, line } = yield* ChannelSide
        const { markRead, send } = channel.sending
        const { providerMessageId } = yield* send(line, text(yield* customer))
        yield* send(line, text(yield* customer, { replyTo: providerMessageId }))
        const received = yield* (yield* SendingSide).received
        yield* markRead(line, received, { isTyping: false })
        yield* markRead(line, received, { isTyping: true })
      })
    )

    it.effect("reaches a customer who has no phone number", () =>
      Effect.gen(function* () {
        const { channel, customerWithoutPhone, line } = yield* ChannelSide
        const to = yield* customerWithoutPhone
        assert.notStrictEqual(to.kind, "phone")
        assert.isTrue(channel.sending.reaches.has(to.kind))
        const outgoing = text(to)
        yield* channel.sending.send(line, outgoing)
        const taken = yield* (yield* SendingSide).taken
        assert.strictEqual(taken.find(({ reference }) => reference === outgoing.reference)?.to, to.value)
      })
    )

    it.effect("classifies each refusal, and has sent nothing then", () =>
      Effect.gen(function* () {
        const { channel, customer, line } = yield* ChannelSide
        const { refusals, refuseNext, taken } = yield* SendingSide
        for (const [code, remedy] of refusals) {
          const outgoing = text(yield* customer)
          yield* refuseNext(code)
          const error = yield* Effect.flip(channel.sending.send(line, outgoing))
          assert.strictEqual(error._tag, "ChannelRefused")
          if (error._tag === "ChannelRefused") assert.deepStrictEqual([error.code, error.remedy], [code, remedy])
          assert.isFalse((yield* taken).some(({ reference }) => reference === outgoing.reference))
        }
      })
    )

    it.effect("is in doubt when the answer is lost, and does not send again", () =>
      Effect.gen(function* () {
        const { channel, customer, line } = yield* ChannelSide
        const { loseNext, taken } = yield* SendingSide
        const outgoing = text(yield* customer)
        yield* loseNext
        const error = yield* Effect.flip(channel.sending.send(line, outgoing))
        assert.strictEqual(error._tag, "ChannelInDoubt")
        assert.lengthOf(
          (yield* taken).filter(({ reference }) => reference === outgoing.reference),
          1
        )
      })
    )

    it.effect("says that the account must be connected again when its right has ended", () =>
      Effect.gen(function* () {
        const { channel, customer, endedLine } = yield* ChannelSide
        const error = yield* Effect.flip(channel.sending.send(endedLine, text(yield* customer)))
        assert.include(error, { _tag: "ChannelRefused", remedy: "reauthorize" })
      })
    )
  })
