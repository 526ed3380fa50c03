import { NodeHttpClient } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import type { ProviderConnection } from "@parley/domain/messaging"
import { make, signatureOf, type WebhookChannelOptions } from "@parley/provider-adapters/chat/webhook"
import { deliveryReadingContract, messageSendingContract } from "@parley/testkit/contracts"
import { DateTime, Duration, Effect, Layer, Redacted } from "effect"
import { answering, listening } from "./sockets.ts"
import { requestIn, secret, sides, written } from "./webhookReceiver.ts"

const name = "signed webhooks"
const provider = sides.pipe(Layer.provide(NodeHttpClient.layerUndici))

messageSendingContract(name, provider)
deliveryReadingContract(name, provider)

const account = "01934bc0-1a2b-7111-8a01-0a1b2c3d4e5f"

const outgoing = {
  to: { kind: "external", value: "crm-1867" },
  content: { kind: "text", text: "Ça va ? 🥐" },
  replyTo: "m-1",
  reference: "01934bc3-1a2b-7111-8a01-0a1b2c3d4e5f"
} as const

const lineTo = (url: string): ProviderConnection => ({
  phoneId: account,
  businessId: account,
  accessToken: secret,
  url
})

/** The channel, as long as the test goes on. */
const channelWith = (options: WebhookChannelOptions) =>
  Effect.flatMap(Layer.build(NodeHttpClient.layerUndici), (http) => Effect.provideContext(make(options), http))

const local = channelWith({ loopback: true, timeout: "1 second" })

const outcomeAt = (url: string) =>
  Effect.flatMap(local, ({ sending }) => Effect.flip(sending.send(lineTo(url), outgoing)))

describe("A message that is posted", () => {
  it.live("contains message and recipient, signed with the current and the previous secret", () =>
    Effect.gen(function* () {
      const server = yield* listening(answering(204, ""))
      const former = Redacted.make("whsec_BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB")
      const { sending } = yield* local
      const accepted = yield* sending.send({ ...lineTo(server.url), formerToken: former }, outgoing)
      assert.deepStrictEqual(accepted, { providerMessageId: outgoing.reference, held: false })
      const { body, headers } = requestIn(server.requests[0] ?? "")
      const { timestamp: _, ...input } = JSON.parse(body.toString("utf8")) as Record<string, unknown>
      assert.deepStrictEqual(input, {
        type: "message",
        data: {
          id: outgoing.reference,
          accountId: account,
          to: { externalId: "crm-1867" },
          text: outgoing.content.text,
          replyTo: "m-1"
        }
      })
      const signed = { id: outgoing.reference, timestamp: headers["webhook-timestamp"] ?? "", body }
      assert.strictEqual(headers["webhook-id"], outgoing.reference)
      assert.deepStrictEqual(
        headers["webhook-signature"]?.split(" "),
        [secret, former].map((each) => signatureOf(each, signed))
      )
    })
  )

  it.live("is in doubt if the receiver fails, times out, or answers too much", () =>
    Effect.gen(function* () {
      const failing = yield* listening(answering(500, "{}"))
      assert.include(yield* outcomeAt(failing.url), { _tag: "ChannelInDoubt", reason: "server_fault" })
      const silent = yield* listening(() => undefined)
      assert.include(yield* outcomeAt(silent.url), { _tag: "ChannelInDoubt", reason: "timeout" })
      const talkative = yield* listening(answering(200, "x".repeat(65 * 1024)))
      assert.include(yield* outcomeAt(talkative.url), { _tag: "ChannelInDoubt", reason: "unreadable_answer" })
    })
  )

  it.live("follows no redirect, and was not sent then", () =>
    Effect.gen(function* () {
      const elsewhere = yield* listening(answering(200, "{}"))
      const server = yield* listening((socket) => {
        socket.end(`HTTP/1.1 307 Temporary Redirect\r\nLocation: ${elsewhere.url}\r\nContent-Length: 0\r\n\r\n`)
      })
      assert.include(yield* outcomeAt(server.url), { _tag: "ChannelRefused", remedy: "give_up", code: 307 })
      assert.lengthOf(elsewhere.requests, 0)
    })
  )

  it.live("goes to public Internet addresses only, for every resolution of a name", () =>
    Effect.gen(function* () {
      const server = yield* listening(answering(200, "{}"))
      const { port } = new URL(server.url)
      const channel = yield* channelWith({
        timeout: "5 seconds",
        lookup: (_, __, found) => found(null, [{ address: "127.0.0.1", family: 4 }])
      })
      for (const url of [server.url, `https://chat.shop.example:${port}/`, `https://10.0.0.1:${port}/`]) {
        const error = yield* Effect.flip(channel.sending.send(lineTo(url), outgoing))
        assert.strictEqual(error._tag, "ChannelUnreachable")
      }
      assert.strictEqual(server.connections(), 0)
    })
  )

  it.live("allows accounts on this machine only with its option", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* channelWith({})).endpoints, { loopback: false })
      assert.deepStrictEqual((yield* local).endpoints, { loopback: true })
    })
  )
})

describe("An account that is checked", () => {
  it.live("is there when its address takes a ping, which is signed and says which account it is", () =>
    Effect.gen(function* () {
      const server = yield* listening(answering(204, ""))
      const { checking } = yield* local
      assert.include(yield* checking.check(lineTo(server.url)), { sending: "available", quality: "unknown" })
      const { body, headers } = requestIn(server.requests[0] ?? "")
      const { data, type } = JSON.parse(body.toString("utf8")) as Record<string, unknown>
      assert.deepStrictEqual([type, data], ["ping", { accountId: account }])
      const signed = { id: "ping", timestamp: headers["webhook-timestamp"] ?? "", body }
      assert.deepStrictEqual(
        [headers["webhook-id"], headers["webhook-signature"]],
        ["ping", signatureOf(secret, signed)]
      )
    })
  )

  it.live("is refused by the answer of its URL, and unreachable without a certain answer", () =>
    Effect.gen(function* () {
      const { checking } = yield* local
      const outcomeOf = Effect.fnUntraced(function* (status: number) {
        const server = yield* listening(answering(status, "{}"))
        return yield* Effect.flip(checking.check(lineTo(server.url)))
      })
      assert.include(yield* outcomeOf(401), { _tag: "ChannelRefused", remedy: "reauthorize" })
      assert.include(yield* outcomeOf(410), { _tag: "ChannelRefused", remedy: "stop_account" })
      assert.include(yield* outcomeOf(500), { _tag: "ChannelUnreachable" })
      const silent = yield* listening(() => undefined)
      const error = yield* Effect.flip(checking.check(lineTo(silent.url)))
      assert.strictEqual(error._tag, "ChannelUnreachable")
    })
  )
})

describe("A delivery", () => {
  it.live("is good for five minutes, and for the id and the time that were signed", () =>
    Effect.gen(function* () {
      const { isSigned } = (yield* local).deliveries
      const delivered = yield* written({ kind: "external", value: "crm-1867" }, "Hi")
      const { body, headers } = delivered
      const now = yield* DateTime.now
      assert.isTrue(isSigned([secret], delivered, DateTime.addDuration(now, Duration.minutes(4))))
      assert.isFalse(isSigned([secret], delivered, DateTime.addDuration(now, Duration.minutes(6))))
      assert.isFalse(isSigned([secret], delivered, DateTime.subtractDuration(now, Duration.minutes(6))))
      for (const changed of [
        { "webhook-id": "another" },
        { "webhook-timestamp": "0" },
        { "webhook-timestamp": "now" }
      ]) {
        assert.isFalse(isSigned([secret], { body, headers: { ...headers, ...changed } }, now))
      }
    })
  )

  const read = Effect.fnUntraced(function* (delivery: unknown) {
    const { parts, read } = (yield* local).deliveries
    return parts(Buffer.from(JSON.stringify(delivery)), account)?.flatMap(({ body }) => read(body) ?? []) ?? null
  })

  const timestamp = "2026-11-12T08:30:00.000Z"
  const at = DateTime.makeUnsafe(timestamp)

  it.live("reports the state of a message by our id or the receiver's id", () =>
    Effect.gen(function* () {
      const events = yield* read({ type: "message.status", timestamp, data: { id: "their-1", status: "read" } })
      assert.deepStrictEqual(events, [
        {
          kind: "receipt",
          phoneId: account,
          id: "their-1",
          at,
          status: "read",
          to: { phone: null, chatUser: null },
          reference: "their-1",
          error: null
        }
      ])
    })
  )

  it.live("is stored with a new type, and refused if a known one is incomplete", () =>
    Effect.gen(function* () {
      const unknown = yield* read({ type: "typing.started", timestamp, data: {} })
      assert.deepStrictEqual(unknown, [
        { kind: "unknown", businessId: account, phoneId: account, field: "typing.started" }
      ])
      const from = { externalId: "crm-1867" }
      for (const delivery of [
        { type: "message.received", timestamp, data: { id: "m-1", text: "Hi" } },
        { type: "message.received", timestamp, data: { id: "m-1", from } },
        { type: "message.received", timestamp, data: { text: "Hi", from } },
        { type: "message.received", timestamp: "yesterday", data: { id: "m-1", text: "Hi", from } },
        { type: "message.status", timestamp, data: { id: "m-1", status: "lost" } },
        { timestamp, data: {} }
      ]) {
        assert.isNull(yield* read(delivery))
      }
    })
  )
})
