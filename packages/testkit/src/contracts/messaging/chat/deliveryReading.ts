import { assert, layer as withLayer } from "@effect/vitest"
import type { InboundEvent, Recipient } from "@parley/domain/messaging"
import { DateTime, Effect, type Layer, Redacted } from "effect"
import { ChannelSide, DeliverySide } from "./sides.ts"

type Sender = Extract<InboundEvent, { readonly kind: "message" }>["from"]

const input = (from: Sender, { kind }: Recipient) =>
  kind === "phone" ? from.phone : kind === "external" ? (from.external ?? null) : from.chatUser

/** Contract of the parsing of provider deliveries. Uses real time because of sockets. */
export const deliveryReadingContract = <E>(name: string, adapter: Layer.Layer<ChannelSide | DeliverySide, E>): void =>
  withLayer(adapter, { excludeTestServices: true, timeout: "60 seconds" })(`DeliveryReading: ${name}`, (it) => {
    it.effect("knows what the provider has signed", () =>
      Effect.gen(function* () {
        const { channel, customer } = yield* ChannelSide
        const { secret, signatureHeader, writes } = yield* DeliverySide
        const delivered = yield* writes(yield* customer, "Hi")
        const { body, headers } = delivered
        const now = yield* DateTime.now
        const { isSigned } = channel.deliveries
        const other = Redacted.make("another secret")
        assert.isTrue(isSigned([secret], delivered, now))
        assert.isTrue(isSigned([other, secret], delivered, now))
        assert.isTrue(isSigned([secret, other], delivered, now))
        assert.isFalse(isSigned([other], delivered, now))
        assert.isFalse(isSigned([], delivered, now))
        const signature = headers[signatureHeader] ?? ""
        for (const wrong of [undefined, "", "sha256=", signature.slice(7), `${signature}0`, `0${signature}`]) {
          assert.isFalse(isSigned([secret], { body, headers: { ...headers, [signatureHeader]: wrong } }, now))
        }
        assert.isFalse(isSigned([secret], { headers, body: body.with(0, (body[0] ?? 0) ^ 1) }, now))
        assert.isFalse(isSigned([secret], { headers, body: body.slice(1) }, now))
      })
    )

    it.effect("reads who wrote what", () =>
      Effect.gen(function* () {
        const { channel, customer, customerWithoutPhone, line } = yield* ChannelSide
        const { writes } = yield* DeliverySide
        for (const from of [yield* customer, yield* customerWithoutPhone]) {
          const { body } = yield* writes(from, "Ça va ? 🥐")
          const { parts, read } = channel.deliveries
          const events = parts(body, line.phoneId)?.flatMap((part) => read(part.body) ?? [])
          const [event, ...more] = events ?? []
          assert.lengthOf(more, 0)
          assert.strictEqual(event?.kind, "message")
          if (event?.kind !== "message") continue
          assert.deepStrictEqual(event.content, { kind: "text", text: "Ça va ? 🥐" })
          assert.strictEqual(event.phoneId, line.phoneId)
          assert.strictEqual(input(event.from, from), from.value)
        }
      })
    )

    it.effect("splits a delivery into pieces with equal meaning", () =>
      Effect.gen(function* () {
        const { channel, customer, line } = yield* ChannelSide
        const { parts: partsOf, read } = channel.deliveries
        const { body } = yield* (yield* DeliverySide).writes(yield* customer, "Ça va ? 🥐")
        const parts = partsOf(body, line.phoneId)
        assert.isNotNull(parts)
        assert.isNotEmpty(parts)
        for (const { phoneId } of parts ?? []) assert.strictEqual(phoneId, line.phoneId)
        // If the address identifies the owner, a delivery identifies its own owner only after the split.
        if (channel.endpoints !== null) return
        assert.deepStrictEqual(
          parts?.flatMap((part) => read(part.body) ?? []),
          read(body)
        )
      })
    )

    it.effect("reads nothing in an invalid delivery", () =>
      Effect.gen(function* () {
        const { parts, read } = (yield* ChannelSide).channel.deliveries
        for (const body of ["", "{", "null", "[]", "{}", '{"object":"page","entry":[]}', "\u0000"]) {
          assert.isNull(read(new TextEncoder().encode(body)))
          assert.isNull(parts(new TextEncoder().encode(body), "number"))
        }
      })
    )
  })
