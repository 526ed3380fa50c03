import { assert, it, layer } from "@effect/vitest"
import { TestKit } from "@parley/testkit"
import { Deferred, Effect, Redacted, Schema } from "effect"
import type { Socket } from "node:net"
import { problemJson } from "../src/api/problem.ts"
import { makeListener } from "../src/server/listener.ts"
import type { Call } from "./harness/Http.ts"
import { assertProblem, assertStatus } from "./harness/answers.ts"
import { Address, callPort, converse, layerListening } from "./harness/sockets.ts"
import { givenTenant, type Tenant } from "./harness/tenants.ts"

const mebibyte = 1024 * 1024
const arrivalMillis = 400

const send = (method: string, path: string, what: Call) =>
  Effect.flatMap(Address, ({ port }) => callPort(port, method, path, what))

const headersOf = ({ organization, owner }: Tenant) =>
  `Host: parley\r\nAuthorization: Bearer ${Redacted.value(owner.token)}\r\nX-Organization-Id: ${organization.id}\r\nContent-Type: application/json\r\n`

/** A JSON text of exactly this number of bytes. */
const jsonOf = (bytes: number) => `{"name":"${"x".repeat(bytes - 11)}"}`

const every = (millis: number, socket: Socket, part: () => string) => {
  const timer = setInterval(() => socket.write(part()), millis)
  socket.on("close", () => clearInterval(timer))
}

const readJson = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))

/** The problem in a raw answer. */
const problemIn = (text: string) => {
  assert.include(text.toLowerCase(), `content-type: ${problemJson}`)
  const problem = readJson(text.slice(text.indexOf("\r\n\r\n") + 4))
  assert.include(text.toLowerCase(), `x-request-id: ${String(problem.requestId)}`)
  return problem
}

it("a request may take ten seconds to arrive when nothing else is said", () => {
  const { headersTimeout, requestTimeout } = makeListener()
  assert.deepStrictEqual([headersTimeout, requestTimeout], [10_000, 10_000])
})

layer(layerListening(TestKit.layer, { arrivalMillis }), { excludeTestServices: true })("on a socket", (it) => {
  it.effect("a body is read up to a mebibyte", () =>
    Effect.gen(function* () {
      const { organization, owner } = yield* givenTenant()
      const patch = (text: string) =>
        send("PATCH", "/api/v1/organization", { token: owner.token, organization: organization.id, text })
      assertProblem(yield* patch(jsonOf(mebibyte)), 400, "validation_failed")
      for (const bytes of [mebibyte + 1, 3 * mebibyte]) {
        const answer = yield* patch(jsonOf(bytes))
        assertProblem(answer, 413, "payload_too_large")
        assert.strictEqual(answer.body.max, mebibyte)
      }
      assertStatus(yield* patch('{"name":"Still here"}'), 200)
    })
  )

  it.effect("a body that is too large is refused without a token, too", () =>
    Effect.gen(function* () {
      const answer = yield* send("POST", "/api/v1/auth/login", { text: jsonOf(mebibyte + 1) })
      assertProblem(answer, 413, "payload_too_large")
    })
  )

  it.effect("a body without a length is counted as it comes", () =>
    Effect.gen(function* () {
      const tenant = yield* givenTenant()
      const chunk = "x".repeat(64 * 1024)
      const { text } = yield* converse((socket) => {
        socket.write(
          `PATCH /api/v1/organization HTTP/1.1\r\n${headersOf(tenant)}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n`
        )
        for (let sent = 0; sent < 40; sent++) socket.write(`10000\r\n${chunk}\r\n`)
        socket.write("0\r\n\r\n")
      })
      assert.match(text, /^HTTP\/1\.1 413 /)
      const { code, status } = problemIn(
        text.replace(/\r\n\r\n[0-9a-f]+\r\n/, "\r\n\r\n").replace(/\r\n0\r\n\r\n$/, "")
      )
      assert.deepStrictEqual({ code, status }, { code: "payload_too_large", status: 413 })
    })
  )

  it.effect("a body that stops half-way is no request", () =>
    Effect.gen(function* () {
      const tenant = yield* givenTenant()
      yield* converse((socket) => {
        const part = `PATCH /api/v1/organization HTTP/1.1\r\n${headersOf(tenant)}Content-Length: 50\r\n\r\n{"name":"H`
        socket.write(part, () => socket.destroy())
      })
      const { organization, owner } = tenant
      const answer = yield* send("GET", "/api/v1/organization", { token: owner.token, organization: organization.id })
      assert.strictEqual(answer.body.version, 1)
    })
  )

  it.effect("headers that are too large are refused with a problem", () =>
    Effect.gen(function* () {
      const { text } = yield* converse((socket) =>
        socket.write(`GET /healthz HTTP/1.1\r\nHost: parley\r\nX-Large: ${"x".repeat(70_000)}\r\n\r\n`)
      )
      assert.match(text, /^HTTP\/1\.1 431 /)
      assert.strictEqual(problemIn(text).code, "headers_too_large")
    })
  )

  it.effect.each([
    "GARBAGE\r\n\r\n",
    "GET /healthz HTTP/1.1\r\nHost: a\r\nbad header\r\n\r\n",
    "\u0016\u0003\u0001\u0002\u0000",
    "GET  / HTTP/9.9\r\n\r\n"
  ])("%j is refused with a problem", (bytes) =>
    Effect.gen(function* () {
      const { text } = yield* converse((socket) => socket.write(bytes))
      assert.match(text, /^HTTP\/1\.1 400 /)
      const problem = problemIn(text)
      assert.deepStrictEqual([problem.status, problem.code], [400, "request_malformed"])
    })
  )

  it.effect("two lengths in one request are refused, against request smuggling", () =>
    Effect.gen(function* () {
      const { text } = yield* converse((socket) =>
        socket.write(
          "POST /api/v1/auth/login HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\n\r\n"
        )
      )
      assert.match(text, /^HTTP\/1\.1 400 /)
      assert.notInclude(text, '"ok"')
    })
  )

  it.effect("a caller who sends its headers byte by byte is dropped", () =>
    Effect.gen(function* () {
      const { text } = yield* converse((socket) => {
        socket.write("GET /healthz HTTP/1.1\r\nHost: parley\r\nX-Slow: ")
        every(20, socket, () => "x")
      })
      assert.match(text, /^HTTP\/1\.1 408 /)
      assert.strictEqual(problemIn(text).code, "request_timeout")
    })
  )

  it.effect("a caller who sends its body byte by byte is dropped", () =>
    Effect.gen(function* () {
      const tenant = yield* givenTenant()
      const { text } = yield* converse((socket) => {
        socket.write(`PATCH /api/v1/organization HTTP/1.1\r\n${headersOf(tenant)}Content-Length: 5000\r\n\r\n{`)
        every(20, socket, () => " ")
      })
      assert.notMatch(text, /^HTTP\/1\.1 [25]/)
    })
  )

  it.effect("a caller who connects and says nothing is dropped", () =>
    Effect.gen(function* () {
      const { text } = yield* converse(() => {})
      assert.notMatch(text, /^HTTP\/1\.1 [25]/)
    })
  )

  it.effect("while slow callers hold connections, others are served", () =>
    Effect.gen(function* () {
      const callers = 100
      const allConnected = yield* Deferred.make<void>()
      let connected = 0
      const slow = Effect.replicateEffect(
        converse((socket) => {
          socket.write("GET /healthz HTTP/1.1\r\nX-Slow: ")
          every(50, socket, () => "x")
          connected += 1
          if (connected === callers) Deferred.doneUnsafe(allConnected, Effect.void)
        }),
        callers,
        { concurrency: "unbounded" }
      )
      const quick = Effect.andThen(Deferred.await(allConnected), send("GET", "/healthz", {}))
      const [, answer] = yield* Effect.all([slow, quick], { concurrency: "unbounded" })
      assertStatus(answer, 200)
    })
  )

  it.effect.each(["TRACE", "PUT", "LOCK"])("%s is a method that no path knows", (method) =>
    Effect.gen(function* () {
      const { text } = yield* converse((socket) =>
        socket.write(`${method} /api/v1/organization HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
      )
      assert.match(text, /^HTTP\/1\.1 405 /)
      assert.match(text, /\r\nallow: GET, HEAD, PATCH\r\n/i)
    })
  )

  it.effect("the documentation site is served too, and says for itself what it may load", () =>
    Effect.gen(function* () {
      const answer = yield* send("GET", "/docs", {})
      assertStatus(answer, 200)
      assert.include(answer.headers.get("content-type") ?? "", "text/html")
      assert.notStrictEqual(answer.headers.get("content-security-policy"), null)
      assert.strictEqual(answer.headers.get("x-content-type-options"), "nosniff")
    })
  )
})
