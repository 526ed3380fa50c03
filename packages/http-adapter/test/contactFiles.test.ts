import { assert, layer } from "@effect/vitest"
import { Contacts } from "@parley/domain/crm"
import { TestKit } from "@parley/testkit"
import { Effect, Layer, Redacted } from "effect"
import { assertStatus } from "./harness/answers.ts"
import { givenContacts } from "./harness/crm.ts"
import { Address, callPort, converse, layerListening } from "./harness/sockets.ts"
import { givenTenant, type Tenant } from "./harness/tenants.ts"

const arrivalMillis = 300

const pieceBytes = 200_000

const line = (row: number) => `Person ${row},${"x".repeat(80)}\r\n`

const piece = line(1).repeat(Math.ceil(pieceBytes / line(1).length))

const headersOf = ({ organization, owner }: Tenant, type = "text/csv") =>
  `Host: parley\r\nAuthorization: Bearer ${Redacted.value(owner.token)}\r\nX-Organization-Id: ${organization.id}\r\nContent-Type: ${type}\r\n`

const head = (tenant: Tenant) =>
  `POST /api/v1/contacts/imports?map=name:name HTTP/1.1\r\n${headersOf(tenant)}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n`

const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`

layer(layerListening(TestKit.layer, { arrivalMillis, maxImportBytes: 3_000_000 }), { excludeTestServices: true })(
  "files on a socket",
  (it) => {
    it.effect("a file may take longer to arrive than a request may, and be larger", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { text } = yield* converse((socket) => {
          socket.write(head(tenant) + chunk("name,note\r\n"))
          // Twelve intervals take at least four times as long as a request may.
          let left = 12
          const timer = setInterval(() => {
            socket.write(left-- > 0 ? chunk(piece) : "0\r\n\r\n")
            if (left < 0) clearInterval(timer)
          }, arrivalMillis / 3)
        })
        assert.match(text, /^HTTP\/1\.1 202 /)
        assert.include(text, '"total":24')
      })
    )

    it.effect("a file that is too large is refused as soon as it is", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const sent = yield* converse((socket) => {
          socket.write(head(tenant) + chunk("name,note\r\n"))
          const timer = setInterval(() => socket.write(chunk(piece)), 5)
          socket.on("close", () => clearInterval(timer))
        })
        assert.match(sent.text, /^HTTP\/1\.1 413 /)
        const announced = yield* converse((socket) => {
          socket.write(
            `POST /api/v1/contacts/imports HTTP/1.1\r\n${headersOf(tenant)}Connection: close\r\nContent-Length: 3000001\r\n\r\n`
          )
        })
        assert.match(announced.text, /^HTTP\/1\.1 413 /)
      })
    )

    it.effect("a caller who stops in the middle of a file is dropped", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { text } = yield* converse((socket) => {
          socket.write(head(tenant) + chunk("name,note\r\n"))
        })
        assert.notMatch(text, /^HTTP\/1\.1 2/)
      })
    )
  }
)

layer(layerListening(TestKit.layer), { excludeTestServices: true })("a refused file on a socket", (it) => {
  it.effect("a caller who is refused need not send the rest of a file", () =>
    Effect.gen(function* () {
      const tenant = yield* givenTenant()
      const { text } = yield* converse((socket) => {
        socket.write(
          `POST /api/v1/contacts/imports HTTP/1.1\r\n${headersOf(tenant).replace("Bearer ", "Bearer x")}Transfer-Encoding: chunked\r\n\r\n${chunk("name\r\n")}`
        )
      })
      assert.match(text, /^HTTP\/1\.1 401 /)
    })
  )
})

/** Contacts with an unreadable second page of a thousand. */
const layerBroken = Layer.effect(
  Contacts,
  Effect.map(Contacts, (contacts) => ({
    ...contacts,
    list: (query, slice) =>
      slice.after !== null && slice.limit === 1_000
        ? Effect.die(new Error("connect ECONNREFUSED"))
        : contacts.list(query, slice)
  }))
).pipe(Layer.provideMerge(TestKit.layer))

layer(layerListening(layerBroken), { excludeTestServices: true })("an export that fails midway", (it) => {
  it.effect("breaks the connection, and does not look like a whole file", () =>
    Effect.gen(function* () {
      const tenant = yield* givenTenant("growth")
      yield* givenContacts(tenant.organization, 1_500)
      const { text } = yield* converse((socket) => {
        socket.write(`GET /api/v1/contacts/export HTTP/1.1\r\n${headersOf(tenant)}Connection: close\r\n\r\n`)
      })
      assert.match(text, /^HTTP\/1\.1 200 /)
      assert.include(text, "Guest 1")
      assert.notInclude(text, "Guest 1400")
      assert.isFalse(text.endsWith("\r\n0\r\n\r\n"), "the last chunk that ends an answer")
      const whole = yield* Effect.flatMap(Address, ({ port }) =>
        callPort(port, "GET", "/api/v1/contacts?limit=1", {
          token: tenant.owner.token,
          organization: tenant.organization.id
        })
      )
      assertStatus(whole, 200)
    })
  )
})
