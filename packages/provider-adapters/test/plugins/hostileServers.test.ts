import { assert, describe, it } from "@effect/vitest"
import { PluginHosts, WebhookSender } from "@parley/domain/integrations"
import { DateTime, Deferred, Effect, Redacted } from "effect"
import type { Socket } from "node:net"
import type { Lookup } from "../../src/outbound/publicClient.ts"
import { layer } from "../../src/webhooks/WebhookSender.ts"
import { answering, type Behaviour, listening } from "../chat/sockets.ts"

const publicUrl = "https://parley.example"
const ofTests = layer({ publicUrl, loopback: true })

const read = (url: string) => Effect.flatMap(PluginHosts, (hosts) => hosts.read(url))

const ask = (url: string, timeoutSeconds = 5) =>
  Effect.flatMap(WebhookSender, (sender) =>
    sender.ask(
      {
        url,
        id: "run:step:1",
        at: DateTime.makeUnsafe("2026-11-20T09:30:00.000Z"),
        attempt: 1,
        headers: { "idempotency-key": Redacted.make("run:step:1") },
        secrets: [Redacted.make(`whsec_${Buffer.alloc(32, 1).toString("base64")}`)],
        body: "{}"
      },
      timeoutSeconds
    )
  )

const raw =
  (...lines: ReadonlyArray<string>): Behaviour =>
  (socket) =>
    void socket.write(lines.join("\r\n"))

/** Sends data while the client reads, without an end and without a length. */
const endless =
  (head: ReadonlyArray<string>): Behaviour =>
  (socket) => {
    const piece = "x".repeat(16_384)
    const more = () => {
      while (!socket.destroyed && socket.write(`4000\r\n${piece}\r\n`));
    }
    socket.on("drain", more)
    socket.write(["HTTP/1.1 200 OK", "transfer-encoding: chunked", ...head, "", ""].join("\r\n"))
    more()
  }

/** A server that tells when a connection to it is over. */
const watched = Effect.fnUntraced(function* (behaviour: Behaviour) {
  const over = yield* Deferred.make<void>()
  const server = yield* listening(behaviour, (socket: Socket) => {
    socket.on("close", () => Deferred.doneUnsafe(over, Effect.void))
  })
  return { ...server, over: Deferred.await(over) }
})

/** Names that are known with these addresses, one answer after the other. */
const knowing = (...answers: ReadonlyArray<string>): Lookup => {
  let asked = 0
  return (_hostname, _options, found) => {
    const address = answers[Math.min(asked, answers.length - 1)] ?? ""
    asked += 1
    found(null, [{ address, family: 4 }])
  }
}

describe("a manifest", () => {
  it.live("is read as it is, and from where it was asked for", () =>
    Effect.gen(function* () {
      const server = yield* listening(answering(200, '{"name":"é"}'))
      assert.strictEqual(yield* read(server.url), '{"name":"é"}')
      assert.notMatch(server.requests.join(), /^(?:traceparent|tracestate|b3|x-b3-\w+):/imu)
      const elsewhere = yield* listening(answering(200, "{}"))
      for (const status of [301, 302, 307, 308]) {
        const moved = yield* listening(answering(status, "", [`location: ${elsewhere.url}`]))
        assert.include((yield* Effect.flip(read(moved.url))).reason, String(status))
      }
      for (const status of [204, 404, 500]) {
        const other = yield* listening(answering(status, ""))
        assert.include((yield* Effect.flip(read(other.url))).reason, String(status))
      }
      assert.strictEqual(elsewhere.connections(), 0)
    }).pipe(Effect.scoped, Effect.provide(ofTests))
  )

  it.live("of more than 64 KiB is not read on, and the connection ends", () =>
    Effect.gen(function* () {
      const whole = yield* listening(answering(200, "x".repeat(64 * 1024)))
      assert.lengthOf(yield* read(whole.url), 64 * 1024)
      const heads = [raw("HTTP/1.1 200 OK", "content-length: 8000000000", "", "x".repeat(70_000)), endless([])]
      for (const behaviour of [...heads, endless(["content-type: text/html"])]) {
        const server = yield* watched(behaviour)
        assert.include((yield* Effect.flip(read(server.url))).reason, "longer than 64 KiB")
        yield* server.over
      }
    }).pipe(Effect.scoped, Effect.provide(ofTests))
  )

  it.live("is not read from what is no answer, or only begins", () =>
    Effect.gen(function* () {
      const behaviours: ReadonlyArray<Behaviour> = [
        (socket) => socket.destroy(),
        (socket) => void socket.end("SSH-2.0-whatever\r\n"),
        (socket) => void socket.end("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"),
        (socket) => void socket.end("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n"),
        (socket) => void socket.end(`HTTP/1.1 200 OK\r\nx-long: ${"x".repeat(100_000)}\r\n\r\n`)
      ]
      for (const behaviour of behaviours) {
        const server = yield* listening(behaviour)
        assert.strictEqual((yield* Effect.flip(read(server.url)))._tag, "PluginUnreadable")
      }
    }).pipe(Effect.scoped, Effect.provide(ofTests))
  )

  it.live("is never read at an internal address, for every resolution of its name at any time", () =>
    Effect.gen(function* () {
      const canary = yield* listening(answering(200, "{}"))
      const { port } = new URL(canary.url)
      const lookup = knowing("93.184.216.34", "127.0.0.1")
      yield* Effect.gen(function* () {
        assert.isTrue(yield* (yield* WebhookSender).isPublic(`https://plugin.example:${port}/`))
        assert.include((yield* Effect.flip(read(`http://plugin.example:${port}/`))).reason, "not reached")
        assert.strictEqual((yield* ask(`http://plugin.example:${port}/`)).error, "not_public")
        assert.include((yield* Effect.flip(read(canary.url))).reason, "not reached")
        assert.strictEqual((yield* ask(canary.url)).error, "not_public")
      }).pipe(Effect.provide(layer({ publicUrl, lookup })))
      assert.strictEqual(canary.connections(), 0)
    }).pipe(Effect.scoped)
  )
})

describe("an action", () => {
  it.live("has the text of its answer for every status, and follows no redirect", () =>
    Effect.gen(function* () {
      const done = yield* listening(answering(200, '{"output":{}}'))
      assert.deepInclude(yield* ask(done.url), { status: 200, text: '{"output":{}}' })
      const poor = yield* listening(answering(422, '{"error":{}}'))
      assert.deepInclude(yield* ask(poor.url), { status: 422, text: '{"error":{}}' })
      assert.notMatch(done.requests.join(), /^(?:traceparent|tracestate|b3|x-b3-\w+):/imu)
      const elsewhere = yield* listening(answering(200, "{}"))
      const moved = yield* listening(answering(307, "", [`location: ${elsewhere.url}`]))
      assert.deepInclude(yield* ask(moved.url), { status: 307, error: "redirected" })
      assert.strictEqual(elsewhere.connections(), 0)
    }).pipe(Effect.scoped, Effect.provide(ofTests))
  )

  it.live("has no text where there is more than 64 KiB of it, and the connection ends", () =>
    Effect.gen(function* () {
      for (const behaviour of [
        raw("HTTP/1.1 200 OK", "content-length: 8000000000", "", "x".repeat(70_000)),
        endless([])
      ]) {
        const server = yield* watched(behaviour)
        assert.deepInclude(yield* ask(server.url), { status: 200, text: null })
        yield* server.over
      }
    }).pipe(Effect.scoped, Effect.provide(ofTests))
  )

  it.live("that is answered drop by drop costs the time that it may take, and the connection ends", () =>
    Effect.gen(function* () {
      const silent = yield* watched(() => undefined)
      const slow = yield* watched(raw("HTTP/1.1 200 OK", "content-length: 10", "", "{"))
      const [first, second] = yield* Effect.all([ask(silent.url, 0.1), ask(slow.url, 0.1)], { concurrency: 2 })
      assert.deepInclude(first, { status: null, error: "timeout", text: null })
      assert.deepInclude(second, { status: 200, text: null })
      yield* silent.over
      yield* slow.over
    }).pipe(Effect.scoped, Effect.provide(ofTests))
  )
})
