import { assert, describe, it } from "@effect/vitest"
import { type WebhookRequest, WebhookSender } from "@parley/domain/integrations"
import { DateTime, Effect, Redacted } from "effect"
import { createHash } from "node:crypto"
import type { LookupAddress } from "node:dns"
import { isSigned } from "../../src/webhooks/signature.ts"
import type { Lookup } from "../../src/outbound/publicClient.ts"
import { layer } from "../../src/webhooks/WebhookSender.ts"
import { answering, listening } from "../chat/sockets.ts"

const publicUrl = "https://parley.example"
const newest = Redacted.make(`whsec_${Buffer.alloc(32, 1).toString("base64")}`)
const former = Redacted.make(`whsec_${Buffer.alloc(32, 2).toString("base64")}`)

const requestTo = (url: string): WebhookRequest => ({
  url,
  id: "d1",
  at: DateTime.makeUnsafe("2026-11-20T09:30:00.000Z"),
  attempt: 3,
  headers: { "x-team": Redacted.make("orders"), "webhook-id": Redacted.make("another") },
  secrets: [newest, former],
  body: JSON.stringify({ type: "tag.created", data: { tagId: "é" } })
})

const post = (url: string, options: Omit<Parameters<typeof layer>[0], "publicUrl"> = { loopback: true }) =>
  Effect.flatMap(WebhookSender, (sender) => sender.post(requestTo(url))).pipe(
    Effect.provide(layer({ publicUrl, ...options }))
  )

/** Name servers that know every name, with these addresses. */
const knowing =
  (...addresses: ReadonlyArray<string>): Lookup =>
  (_hostname, _options, found) =>
    found(
      null,
      addresses.map((address): LookupAddress => ({ address, family: address.includes(":") ? 6 : 4 }))
    )

describe("a receiver", () => {
  it.live("gets what is signed with every secret, and no header takes the place of another", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const server = yield* listening(answering(204, ""))
        const outcome = yield* post(`${server.url}/hook`)
        assert.deepStrictEqual([outcome.status, outcome.error], [204, null])
        const [request = ""] = server.requests
        const [head = "", body = ""] = request.split("\r\n\r\n")
        const headers = Object.fromEntries(
          head
            .split("\r\n")
            .slice(1)
            .map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()])
        )
        assert.strictEqual(headers["webhook-id"], "d1")
        assert.strictEqual(headers["parley-attempt"], "3")
        assert.strictEqual(headers["x-team"], "orders")
        assert.strictEqual(headers["content-type"], "application/json")
        const delivered = { headers, body: new Uint8Array(Buffer.from(body, "latin1")) }
        for (const secret of [newest, former]) {
          assert.isTrue(isSigned([secret], delivered, DateTime.makeUnsafe("2026-11-20T09:31:00.000Z")))
        }
        assert.isFalse(
          isSigned([Redacted.make("whsec_AAAA")], delivered, DateTime.makeUnsafe("2026-11-20T09:31:00.000Z"))
        )
      })
    )
  )

  it.live("gets a request of any method, without a body and a signature if it has none", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const server = yield* listening(answering(200, '{"a":1}'))
        const ask = (request: Partial<WebhookRequest>) =>
          Effect.flatMap(WebhookSender, (sender) => sender.ask({ ...requestTo(server.url), ...request }, 5)).pipe(
            Effect.provide(layer({ publicUrl, loopback: true }))
          )
        const { status, text, unread } = yield* ask({ method: "GET", secrets: [], body: "" })
        assert.deepStrictEqual([status, text, unread], [200, '{"a":1}', undefined])
        yield* ask({ method: "PATCH" })
        const [got = "", patched = ""] = server.requests
        assert.match(got, /^GET \/ HTTP/u)
        assert.notMatch(got, /webhook-signature|content-type/iu)
        assert.match(got, /webhook-id: d1/iu)
        assert.match(patched, /^PATCH \/ HTTP/u)
        assert.match(patched, /webhook-signature: v1,/iu)
      })
    )
  )

  it.live("has an answer without text if the answer is too large or incomplete", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const large = yield* listening(answering(200, "x".repeat(64 * 1024 + 1)))
        const cut = yield* listening((socket) => void socket.end("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx"))
        const ask = (url: string) =>
          Effect.flatMap(WebhookSender, (sender) => sender.ask(requestTo(url), 5)).pipe(
            Effect.provide(layer({ publicUrl, loopback: true }))
          )
        const answers = [yield* ask(large.url), yield* ask(cut.url)]
        assert.deepStrictEqual(
          answers.map(({ text, unread }) => [text, unread]),
          [
            [null, "too_large"],
            [null, "incomplete"]
          ]
        )
      })
    )
  )

  it.live("reports the request and the answer without secrets", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const server = yield* listening((socket) => {
          const text = `got orders and ${Redacted.value(newest)}`
          socket.end(
            `HTTP/1.1 500 Broken\r\nServer: erp\r\nSet-Cookie: id=1\r\nContent-Length: ${text.length}\r\n\r\n${text}`
          )
        })
        const { request, response } = yield* post(server.url)
        assert.strictEqual(request.bodySha256, createHash("sha256").update(requestTo("").body).digest("hex"))
        assert.strictEqual(request.bodyBytes, Buffer.byteLength(requestTo("").body))
        assert.deepInclude(request.headers, {
          "webhook-id": "d1",
          "webhook-signature": "[redacted]",
          "x-team": "[redacted]",
          "parley-attempt": "3"
        })
        assert.deepInclude(response?.headers, { server: "erp", "set-cookie": "[redacted]" })
        assert.strictEqual(response?.body, "got [redacted] and [redacted]")
        const long = yield* listening(answering(200, "x".repeat(200_000)))
        assert.strictEqual((yield* post(long.url)).response?.body, "x".repeat(1_024))
        assert.isNull((yield* post("http://127.0.0.1:9/")).response)
      })
    )
  )

  it.live("follows no redirect, and reports errors by status alone", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const elsewhere = yield* listening(answering(200, ""))
        const moved = yield* listening((socket) => {
          socket.end(`HTTP/1.1 302 Found\r\nLocation: ${elsewhere.url}\r\nContent-Length: 0\r\n\r\n`)
        })
        assert.strictEqual((yield* post(moved.url)).error, "redirected")
        assert.strictEqual(elsewhere.connections(), 0)
        const busy = yield* listening((socket) => {
          socket.end("HTTP/1.1 503 Busy\r\nRetry-After: 90\r\nContent-Length: 0\r\n\r\n")
        })
        const outcome = yield* post(busy.url)
        assert.deepStrictEqual([outcome.status, outcome.error, outcome.retryAfterSeconds], [503, "status", 90])
      })
    )
  )

  it.live("that is silent, or not there, or closes, costs a limited time", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const silent = yield* listening(() => undefined)
        const outcome = yield* post(silent.url, { loopback: true, timeout: "50 millis" })
        assert.deepStrictEqual([outcome.status, outcome.error], [null, "timeout"])
        const closing = yield* listening((socket) => socket.destroy())
        assert.strictEqual((yield* post(closing.url)).error, "refused")
        assert.strictEqual((yield* post("http://127.0.0.1:9/")).error, "refused")
      })
    )
  )

  it.live("may answer at length: its status counts, and no more of it is read than fits", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const long = yield* listening(answering(200, "x".repeat(200_000)))
        assert.deepStrictEqual((yield* post(long.url)).error, null)
      })
    )
  )

  it.live("is never sent to an internal address, for every resolution of its name", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const canary = yield* listening(answering(200, ""))
        const port = new URL(canary.url).port
        for (const addresses of [
          ["127.0.0.1"],
          ["8.8.8.8", "127.0.0.1"],
          ["::ffff:127.0.0.1"],
          ["169.254.169.254"],
          []
        ]) {
          const outcome = yield* post(`http://erp.example:${port}/`, { lookup: knowing(...addresses) })
          assert.strictEqual(outcome.error, "not_public", addresses.join(" "))
        }
        // The name had a public address when the subscription was written.
        let asked = 0
        const rebinding: Lookup = (hostname, options, found) => {
          asked += 1
          knowing(asked === 1 ? "93.184.216.34" : "127.0.0.1")(hostname, options, found)
        }
        const outcome = yield* Effect.gen(function* () {
          const sender = yield* WebhookSender
          assert.isTrue(yield* sender.isPublic(`https://erp.example:${port}/`))
          return yield* sender.post(requestTo(`http://erp.example:${port}/`))
        }).pipe(Effect.provide(layer({ publicUrl, lookup: rebinding })))
        assert.strictEqual(outcome.error, "not_public")
        assert.strictEqual((yield* post(canary.url, { loopback: false })).error, "not_public")
        assert.strictEqual(canary.connections(), 0)
      })
    )
  )

  it.live("with an unknown name is distinguished from a refused one", () =>
    Effect.gen(function* () {
      const unknown: Lookup = (hostname, _options, found) =>
        found(Object.assign(new Error(`queryA ENOTFOUND ${hostname}`), { code: "ENOTFOUND", syscall: "queryA" }), [])
      assert.strictEqual((yield* post("https://erp.example/", { lookup: unknown })).error, "dns")
    })
  )
})
