import { NodeHttpClient } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import type { OutgoingMessage } from "@parley/domain/messaging"
import { layer as whatsApp } from "@parley/provider-adapters/chat/whatsapp"
import { MemoryChat } from "@parley/testkit"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { line } from "./simulated.ts"
import { answering, type Behaviour, listening, nobody, type SocketServer } from "./sockets.ts"

const message: OutgoingMessage = {
  to: { kind: "phone", value: "+15551234567" },
  content: { kind: "text", text: "Hello" },
  replyTo: null,
  reference: "reference"
}

const timeout = "10 seconds"

const clients = [
  ["undici", NodeHttpClient.layerUndici],
  ["node:http", NodeHttpClient.layerNodeHttp],
  ["fetch", NodeHttpClient.layerFetch]
] as const

const refusal = (code: number, more: object = {}) =>
  JSON.stringify({ error: { message: "No", type: "OAuthException", code, error_data: { details: "Why." }, ...more } })

const usage = (minutes: number) =>
  `x-business-use-case-usage: ${JSON.stringify({ "102": [{ type: "whatsapp", call_count: 100, estimated_time_to_regain_access: minutes }] })}`

const accepted = JSON.stringify({ messages: [{ id: "wamid.1" }] })

const truncated: Behaviour = (socket) =>
  socket.end('HTTP/1.1 200 OK\r\ncontent-length: 400\r\n\r\n{"messages":[{"id":"wa')

/** An answer that never ends while a client reads it. */
const endless: Behaviour = (socket) => {
  socket.write("HTTP/1.1 200 OK\r\ncontent-length: 900000000000\r\n\r\n")
  const piece = " ".repeat(1024 * 1024)
  const more = () => socket.write(piece, (error) => (error instanceof Error ? undefined : more()))
  more()
}

const doubtful: ReadonlyArray<readonly [name: string, behaviour: Behaviour, reason: string]> = [
  ["reset after the request", (socket) => socket.resetAndDestroy(), "connection_lost"],
  ["ended after the request", (socket) => socket.end(), "connection_lost"],
  ["broken off in the answer", truncated, "connection_lost"],
  ["not HTTP", (socket) => socket.end("SSH-2.0-what\r\n"), "connection_lost"],
  ["no answer", () => undefined, "timeout"],
  ["half an answer", (socket) => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{"), "timeout"],
  ["500 of a proxy", answering(502, "<html>Bad gateway</html>"), "server_fault"],
  ["500 with nothing", answering(500, ""), "server_fault"],
  ["500 with a code nobody knows", answering(500, refusal(987_654)), "server_fault"],
  ["503 of the provider's front", answering(503, refusal(2, { is_transient: true })), "server_fault"],
  ["500 of the provider's front", answering(500, refusal(1)), "server_fault"],
  ["500 with a message id", answering(500, accepted), "server_fault"],
  ["200 with garbage", answering(200, "{{{"), "unreadable_answer"],
  ["200 with nothing", answering(200, ""), "unreadable_answer"],
  ["200 with another answer", answering(200, '{"messages":[]}'), "unreadable_answer"],
  ["200 with hostile shapes", answering(200, '{"messages":{"id":1},"error":[]}'), "unreadable_answer"],
  ["200 that never ends", endless, "unreadable_answer"],
  ["403 of a proxy", answering(403, "Forbidden"), "unreadable_answer"],
  ["a redirect", answering(307, "", ["location: http://127.0.0.1:9/"]), "unreadable_answer"]
]

const refused: ReadonlyArray<readonly [name: string, behaviour: Behaviour, remedy: string, retryAfter: number | null]> =
  [
    ["400 with a known code", answering(400, refusal(131_047)), "needs_template", null],
    ["500 with a known code", answering(500, refusal(131_000)), "retry", null],
    ["200 with a known code", answering(200, refusal(131_026)), "skip_recipient", null],
    ["400 with a code nobody knows", answering(400, refusal(987_654)), "give_up", null],
    ["400 for a moment", answering(400, refusal(987_654, { is_transient: true })), "retry", null],
    ["429 with a time", answering(429, refusal(130_429), ["retry-after: 7"]), "slow_down", 7_000],
    ["429 for up to a minute", answering(429, refusal(131_057)), "slow_down", 30_000],
    ["400 of a moment's fault", answering(400, refusal(2)), "retry", null],
    ["400 for up to a minute", answering(400, refusal(131_057)), "slow_down", 30_000],
    ["500 for up to a minute", answering(500, refusal(131_057)), "slow_down", 30_000],
    ["400 of too many calls", answering(400, refusal(130_429)), "slow_down", 1_000],
    ["400 of a limit with its end", answering(400, refusal(80_007), [usage(15)]), "slow_down", 900_000],
    ["400 of the app's limit", answering(400, refusal(4), ['x-app-usage: {"call_count":100}']), "slow_down", 60_000],
    ["400 below the app's limit", answering(400, refusal(4), ['x-app-usage: {"call_count":28}']), "slow_down", null],
    ["400 of a pair", answering(400, refusal(131_056)), "delay_recipient", null],
    ["429 of a pair", answering(429, refusal(131_056)), "delay_recipient", null],
    ["500 of a missing capability", answering(500, refusal(3)), "reauthorize", null],
    ["500 of a bad certificate", answering(500, refusal(131_045)), "stop_account", null],
    ["400 of spam over one number", answering(400, refusal(131_048)), "stop_campaigns", null],
    ["401", answering(401, refusal(190)), "reauthorize", null]
  ]

describe.each(clients)("A send over %s", (_, client) => {
  const sending = (baseUrl: string) =>
    Effect.flatMap(MemoryChat.whole, (channel) => Effect.flip(channel.sending.send(line, message))).pipe(
      Effect.provide(whatsApp({ baseUrl, timeout }).pipe(Layer.provide(client)))
    )

  /** The error of a call that times out. The clock moves when the server has the request. */
  const timingOut = Effect.fnUntraced(function* <A, E, R>(server: SocketServer, send: Effect.Effect<A, E, R>) {
    const call = yield* Effect.forkChild(send)
    yield* server.requested
    yield* TestClock.adjust(timeout)
    return yield* Fiber.join(call)
  })

  it.effect.each(doubtful)("is in doubt after one request: %s", ([, behaviour, reason]) =>
    Effect.gen(function* () {
      const server = yield* listening(behaviour)
      const error = yield* reason === "timeout" ? timingOut(server, sending(server.url)) : sending(server.url)
      assert.deepStrictEqual([error._tag, "reason" in error && error.reason], ["ChannelInDoubt", reason])
      assert.lengthOf(server.requests, 1)
    })
  )

  it.effect.each(refused)("is refused after one request: %s", ([, behaviour, remedy, retryAfter]) =>
    Effect.gen(function* () {
      const server = yield* listening(behaviour)
      const error = yield* sending(server.url)
      assert.strictEqual(error._tag, "ChannelRefused")
      if (error._tag === "ChannelRefused") {
        assert.deepStrictEqual([error.remedy, error.retryAfterMillis], [remedy, retryAfter])
        assert.match(error.reason, /(?:^| Meta: )Why\.$/u)
      }
      assert.lengthOf(server.requests, 1)
    })
  )

  it.effect("is refused by a server with too many calls, also without further information", () =>
    Effect.gen(function* () {
      const server = yield* listening(answering(429, "<html>Slow down</html>", ["retry-after: 9"]))
      const error = yield* sending(server.url)
      assert.include(error, { _tag: "ChannelRefused", remedy: "slow_down", retryAfterMillis: 9_000 })
    })
  )

  it.effect("is unsent without a listener or with an unknown name", () =>
    Effect.gen(function* () {
      for (const url of [yield* nobody, "http://nothing.invalid", "http://", "not an address"]) {
        assert.strictEqual((yield* sending(url))._tag, "ChannelUnreachable", url)
      }
    })
  )

  it.effect("is in doubt where it is not certain that nothing was written", () =>
    Effect.gen(function* () {
      const server = yield* listening(
        () => undefined,
        (socket) => socket.end()
      )
      assert.strictEqual((yield* sending(server.url))._tag, "ChannelInDoubt")
    })
  )

  it.effect("times out and answers directly, also if it cannot be interrupted", () =>
    Effect.gen(function* () {
      const silent = yield* listening(() => undefined)
      const error = yield* timingOut(silent, Effect.uninterruptible(sending(silent.url)))
      assert.strictEqual(error._tag, "ChannelInDoubt")
      const quick = yield* listening(answering(400, refusal(131_047)))
      assert.strictEqual((yield* Effect.uninterruptible(sending(quick.url)))._tag, "ChannelRefused")
    })
  )

  it.effect("goes no further than a redirect", () =>
    Effect.gen(function* () {
      const canary = yield* listening(answering(200, accepted))
      const server = yield* listening(answering(308, "", [`location: ${canary.url}/`]))
      yield* sending(server.url)
      assert.strictEqual(canary.connections(), 0)
    })
  )

  it.effect("calls that only read were not answered, then", () =>
    Effect.gen(function* () {
      const server = yield* listening(answering(500, "oh"))
      const error = yield* Effect.flatMap(MemoryChat.whole, (channel) =>
        Effect.flip(channel.checking.check(line))
      ).pipe(Effect.provide(whatsApp({ baseUrl: server.url }).pipe(Layer.provide(client))))
      assert.strictEqual(error._tag, "ChannelUnreachable")
    })
  )
})
