import { assert, layer } from "@effect/vitest"
import { TestKit } from "@parley/testkit"
import { Effect, Redacted } from "effect"
import { Address, layerListening, openConnection } from "./harness/sockets.ts"
import { givenTenant, type Tenant } from "./harness/tenants.ts"

const arrivalMillis = 400

const headersOf = ({ organization, owner }: Tenant) =>
  `Host: parley\r\nAuthorization: Bearer ${Redacted.value(owner.token)}\r\nX-Organization-Id: ${organization.id}\r\n`

const connect = Effect.flatMap(Address, ({ port }) => openConnection(port))

/** Whether a complete answer has arrived: its head, and a body of the announced length. */
const hasAnswers = (count: number) => (text: string) => {
  let rest = text
  for (let seen = 0; seen < count; seen++) {
    const end = rest.indexOf("\r\n\r\n")
    const [, length] = /\r\ncontent-length: (\d+)/i.exec(rest) ?? []
    if (end === -1 || length === undefined || rest.length < end + 4 + Number(length)) return false
    rest = rest.slice(end + 4 + Number(length))
  }
  return true
}

const healthCheck = "GET /healthz HTTP/1.1\r\nHost: parley\r\n\r\n"

layer(layerListening(TestKit.layer, { arrivalMillis }), { excludeTestServices: true })(
  "an answer that comes before the end of the body",
  (it) => {
    it.effect.each(["Content-Length: 5000000", "Transfer-Encoding: chunked", "Content-Length: 10"])(
      "ends the connection when a file was refused (%s)",
      (length) =>
        Effect.gen(function* () {
          const tenant = yield* givenTenant()
          const connection = yield* connect
          connection.write(
            `POST /api/v1/media HTTP/1.1\r\n${headersOf(tenant)}Content-Type: application/x-tar\r\n${length}\r\n\r\n`
          )
          const text = yield* connection.until(hasAnswers(1))
          assert.match(text, /^HTTP\/1\.1 415 /)
          assert.match(text, /\r\nconnection: close\r\n/i)
          yield* connection.ended
        }).pipe(Effect.scoped)
    )

    it.effect("ends the connection when a body without a length is too large", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const connection = yield* connect
        connection.write(
          `PATCH /api/v1/organization HTTP/1.1\r\n${headersOf(tenant)}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
        )
        const chunk = `10000\r\n${"x".repeat(64 * 1024)}\r\n`
        connection.write(chunk.repeat(20))
        const text = yield* connection.until(hasAnswers(1))
        assert.match(text, /^HTTP\/1\.1 413 /)
        assert.match(text, /\r\nconnection: close\r\n/i)
        yield* connection.ended
      }).pipe(Effect.scoped)
    )

    it.effect("ends the connection for a caller who asked first whether to send the file", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const connection = yield* connect
        connection.write(
          `POST /api/v1/media HTTP/1.1\r\n${headersOf(tenant)}Content-Type: application/x-tar\r\nContent-Length: 5000000\r\nExpect: 100-continue\r\n\r\n`
        )
        const text = yield* connection.until(hasAnswers(1))
        assert.match(text, /^HTTP\/1\.1 415 /)
        assert.match(text, /\r\nconnection: close\r\n/i)
        yield* connection.ended
      }).pipe(Effect.scoped)
    )

    it.effect("keeps the connection for a body whose rest is small, and answers what comes after it", () =>
      Effect.gen(function* () {
        const connection = yield* connect
        connection.write(
          "POST /api/v1/organization HTTP/1.1\r\nHost: parley\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n"
        )
        const refused = yield* connection.until(hasAnswers(1))
        assert.match(refused, /^HTTP\/1\.1 405 /)
        assert.notMatch(refused, /\r\nconnection: close\r\n/i)
        connection.write(`{"name":"0123456789"${healthCheck}`)
        const both = yield* connection.until(hasAnswers(2))
        assert.match(both.slice(refused.length), /^HTTP\/1\.1 200 /)
      }).pipe(Effect.scoped)
    )

    it.effect("keeps the connection after a completely read file, regardless of its result", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const connection = yield* connect
        connection.write(
          `POST /api/v1/media HTTP/1.1\r\n${headersOf(tenant)}Content-Type: image/png\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`
        )
        const refused = yield* connection.until(hasAnswers(1))
        assert.match(refused, /^HTTP\/1\.1 400 /)
        assert.notMatch(refused, /\r\nconnection: close\r\n/i)
        connection.write(healthCheck)
        const both = yield* connection.until(hasAnswers(2))
        assert.match(both.slice(refused.length), /^HTTP\/1\.1 200 /)
      }).pipe(Effect.scoped)
    )

    it.effect("is the only one to its request, though the rest never comes", () =>
      Effect.gen(function* () {
        const connection = yield* connect
        connection.write(
          "POST /api/v1/organization HTTP/1.1\r\nHost: parley\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n"
        )
        const refused = yield* connection.until(hasAnswers(1))
        assert.strictEqual(yield* connection.ended, refused)
      }).pipe(Effect.scoped)
    )
  }
)
