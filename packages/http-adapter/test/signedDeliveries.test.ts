import { NodeHttpClient } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { InboundDeliveries } from "@parley/domain/platform"
import { layer as whatsApp } from "@parley/provider-adapters/chat/whatsapp"
import { TestKit } from "@parley/testkit"
import { Effect, Layer, Redacted, Schedule } from "effect"
import { createHmac } from "node:crypto"
import { createConnection } from "node:net"
import { rowsOf, idsOf } from "./harness/answers.ts"
import { ours } from "./harness/crm.ts"
import { givenNumber } from "./harness/inbox.ts"
import { Address, callPort, layerListening } from "./harness/sockets.ts"
import { freshText, givenTenant, inside, type Tenant } from "./harness/tenants.ts"

/** Writes the bytes on a separate connection and returns only the status of the answer. */
const statusOf = (bytes: Uint8Array) =>
  Effect.flatMap(Address, ({ port }) =>
    Effect.callback<number>((resume) => {
      const socket = createConnection({ host: "127.0.0.1", port }, () => socket.write(bytes))
      let text = ""
      socket.on("data", (part) => {
        text += part.toString("latin1")
        const [, status] = /^HTTP\/1\.1 (\d{3})/u.exec(text) ?? []
        if (status === undefined) return
        resume(Effect.succeed(Number(status)))
        socket.destroy()
      })
      socket.on("error", () => resume(Effect.succeed(0)))
      return Effect.sync(() => socket.destroy())
    })
  )

const statusesOf = (requests: ReadonlyArray<Uint8Array>) =>
  Effect.forEach(requests, (each) => Effect.map(statusOf(each), (status) => ({ status, each })), { concurrency: 16 })

const withTurned = (bytes: Uint8Array, bit: number) => {
  const copy = Buffer.from(bytes)
  copy[bit >>> 3] = (copy[bit >>> 3] ?? 0) ^ (1 << (bit & 7))
  return copy
}

/** The bytes with one bit turned, once for each of their bits. */
const turned = (bytes: Uint8Array): ReadonlyArray<Buffer> =>
  Array.from({ length: bytes.length * 8 }, (_, bit) => withTurned(bytes, bit))

/** The bytes with one bit turned, once for each byte: all eight places have their turn. */
const turnedOnce = (bytes: Uint8Array): ReadonlyArray<Buffer> =>
  Array.from(bytes, (_, byte) => withTurned(bytes, byte * 8 + (byte % 8)))

const headerOf = (secret: string, body: Uint8Array) =>
  Buffer.from(`X-Hub-Signature-256: sha256=${createHmac("sha256", secret).update(body).digest("hex")}`)

const requestOf = (path: string, header: Uint8Array, body: Uint8Array, others = "Content-Type: application/json\r\n") =>
  Buffer.concat([
    Buffer.from(
      `POST ${path} HTTP/1.1\r\nHost: parley\r\nConnection: close\r\n${others}Content-Length: ${body.length}\r\n`
    ),
    header,
    Buffer.from("\r\n\r\n"),
    body
  ])

/** Names of headers mean the same in any case. */
const isSameHeader = (one: Buffer, other: Buffer) => {
  const name = (line: Buffer) => line.subarray(0, line.indexOf(":")).toString("latin1").toLowerCase()
  const value = (line: Buffer) => line.subarray(line.indexOf(":")).toString("latin1")
  return name(one) === name(other) && value(one) === value(other)
}

const stored = ({ organization }: Tenant) =>
  Effect.flatMap(InboundDeliveries, (deliveries) => deliveries.list(null, { limit: 100, after: null })).pipe(
    inside(organization)
  )

/** Waits until nothing that was delivered is left to be worked through. */
const worked = (tenant: Tenant) =>
  Effect.repeat(stored(tenant), {
    until: (rows) => rows.every(({ state }) => state !== "waiting"),
    schedule: Schedule.spaced("5 millis")
  })

const given = Effect.gen(function* () {
  const tenant = yield* givenTenant()
  const account = yield* givenNumber(tenant.organization)
  const message = {
    from: "491701234567",
    id: yield* freshText("wamid"),
    timestamp: "1772360430",
    type: "text",
    text: { body: "Hi" }
  }
  const value = { metadata: { phone_number_id: account.externalPhoneId }, messages: [message] }
  const body = Buffer.from(
    JSON.stringify({
      object: "whatsapp_business_account",
      entry: [{ id: account.externalAccountId, changes: [{ field: "messages", value }] }]
    })
  )
  return { tenant, body, secret: `${account.id}: app_secret`, path: `/webhooks/chat/${tenant.organization.id}` }
})

const ports = Layer.merge(TestKit.layer, whatsApp().pipe(Layer.provide(NodeHttpClient.layerUndici)))

layer(layerListening(ports, { accessLog: false }), { excludeTestServices: true })("a delivery on a socket", (it) => {
  it.effect(
    "with a bit of any byte of its body turned is not signed, and leaves nothing behind",
    () =>
      Effect.gen(function* () {
        const { body, path, secret, tenant } = yield* given
        const header = headerOf(secret, body)
        const answers = yield* statusesOf(turnedOnce(body).map((each) => requestOf(path, header, each)))
        assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [401])
        assert.isEmpty(yield* stored(tenant))
        assert.strictEqual(yield* statusOf(requestOf(path, header, body)), 200)
        assert.lengthOf(yield* stored(tenant), 1)
      }),
    60_000
  )

  it.effect(
    "with any bit of the header of its signature turned is not signed, and leaves nothing behind",
    () =>
      Effect.gen(function* () {
        const { body, path, secret, tenant } = yield* given
        const header = headerOf(secret, body)
        const others = turned(header).filter((each) => !isSameHeader(each, header))
        const answers = yield* statusesOf(others.map((each) => requestOf(path, each, body)))
        for (const { each, status } of answers) {
          // With some bytes in a header it is no request of HTTP at all.
          assert.include([400, 401], status, Buffer.from(each).toString("latin1"))
        }
        assert.isAtLeast(answers.filter(({ status }) => status === 401).length, 500)
        assert.isEmpty(yield* stored(tenant))
        assert.strictEqual(yield* statusOf(requestOf(path, header, body)), 200)
      }),
    60_000
  )

  it.effect("has one effect when repeated directly or later", () =>
    Effect.gen(function* () {
      const { body, path, secret, tenant } = yield* given
      const { port } = yield* Address
      const request = requestOf(path, headerOf(secret, body), body)
      for (const copies of [20, 1, 1]) {
        const answers = yield* statusesOf(Array.from({ length: copies }, () => request))
        assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [200])
        assert.deepStrictEqual(
          (yield* worked(tenant)).map(({ state }) => state),
          ["applied"]
        )
      }
      const [conversation] = idsOf(yield* callPort(port, "GET", "/api/v1/conversations", ours(tenant)))
      const messages = `/api/v1/conversations/${conversation}/messages`
      assert.lengthOf(rowsOf(yield* callPort(port, "GET", messages, ours(tenant))), 1)
    })
  )

  it.effect("is taken through the platform app with its new secret and with the former one, and with no other", () =>
    Effect.gen(function* () {
      const { body, secret } = yield* given
      const secrets = TestKit.testPlatformApp.appSecrets.map((each) => Redacted.value(each))
      const statuses = yield* Effect.forEach([...secrets, secret, ""], (each) =>
        statusOf(requestOf("/webhooks/chat", headerOf(each, body), body))
      )
      assert.deepStrictEqual(statuses, [200, 200, 401, 401])
    })
  )

  it.effect("may have up to three mebibytes, regardless of other body limits and of a declared length", () =>
    Effect.gen(function* () {
      const { path, secret, tenant } = yield* given
      const most = 3 * 1024 * 1024
      const filled = (bytes: number) => Buffer.alloc(bytes, "x")
      const chunked = (body: Buffer) =>
        Buffer.concat([
          Buffer.from(`POST ${path} HTTP/1.1\r\nHost: parley\r\nTransfer-Encoding: chunked\r\n`),
          headerOf(secret, body),
          Buffer.from(`\r\n\r\n${body.length.toString(16)}\r\n`),
          body,
          Buffer.from("\r\n0\r\n\r\n")
        ])
      for (const [size, status] of [
        [most + 1, 413],
        [3 * most, 413],
        [most, 200]
      ] as const) {
        const body = filled(size)
        assert.strictEqual(yield* statusOf(requestOf(path, headerOf(secret, body), body)), status)
        assert.strictEqual(yield* statusOf(chunked(body)), status)
      }
      // The service does not wait for a body that is too large by its declared length.
      const promised = Buffer.from(
        `POST ${path} HTTP/1.1\r\nHost: parley\r\nContent-Length: ${most + 1}\r\nX-Hub-Signature-256: sha256=0\r\n\r\n`
      )
      assert.strictEqual(yield* statusOf(promised), 413)
      assert.deepStrictEqual(
        (yield* worked(tenant)).map(({ state }) => state),
        ["parked"]
      )
    })
  )

  it.effect("is accepted with every media type and without one", () =>
    Effect.gen(function* () {
      const { body, path, secret, tenant } = yield* given
      const types = ["", "Content-Type: text/plain\r\n", "Content-Type: \r\n", "Content-Type: multipart/form-data\r\n"]
      const requests = types.map((type) => requestOf(path, headerOf(secret, body), body, type))
      const answers = yield* statusesOf(requests)
      assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [200])
      assert.deepStrictEqual(
        (yield* worked(tenant)).map(({ state }) => state),
        ["applied"]
      )
      const unsigned = yield* statusOf(requestOf(path, headerOf("", body), body, "Content-Type: text/plain\r\n"))
      assert.strictEqual(unsigned, 401)
    })
  )
})
