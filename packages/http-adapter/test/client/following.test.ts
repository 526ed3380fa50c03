import { assert, layer } from "@effect/vitest"
import { TokenRevoked } from "@parley/domain/platform"
import { createAutomation } from "@parley/domain/automation"
import { TestKit } from "@parley/testkit"
import { Effect, Redacted, Stream } from "effect"
import { FetchHttpClient } from "effect/http"
import { connect, createServer, type Socket } from "node:net"
import { ParleyClient } from "../../src/client/index.ts"
import { Address, callPort, layerListening } from "../harness/sockets.ts"
import { givenTenant, inside, type Tenant } from "../harness/tenants.ts"

/** A way to the port that is cut again and again. */
const shakyWayTo = (port: number, everyMillis: number) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly port: number; readonly cuts: () => number; readonly close: () => void }>((resume) => {
      const open = new Set<Socket>()
      let cuts = 0
      const way = createServer((near) => {
        const far = connect(port, "127.0.0.1")
        for (const socket of [near, far]) {
          open.add(socket)
          socket.on("error", () => socket.destroy())
          socket.on("close", () => open.delete(socket))
        }
        near.pipe(far)
        far.pipe(near)
      })
      const cut = () => {
        cuts += open.size
        for (const socket of open) socket.destroy()
      }
      const timer = setInterval(cut, everyMillis)
      way.listen(0, "127.0.0.1", () => {
        const address = way.address()
        const close = () => {
          clearInterval(timer)
          cut()
          way.close()
        }
        resume(
          Effect.succeed({ port: typeof address === "object" ? (address?.port ?? 0) : 0, cuts: () => cuts, close })
        )
      })
    }),
    ({ close }) => Effect.sync(close)
  )

const optionsOf = (port: number, { organization, owner }: Tenant) => ({
  baseUrl: `http://127.0.0.1:${port}`,
  token: Redacted.value(owner.token),
  organizationId: organization.id
})

const act = ({ organization }: Tenant) => createAutomation({ name: "Greet" }).pipe(inside(organization), Effect.orDie)

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)

layer(layerListening(TestKit.layer), { excludeTestServices: true })("following with the client", (it) => {
  it.effect(
    "goes on where it was cut, and gives each event once",
    () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { port } = yield* Address
        const way = yield* shakyWayTo(port, 70)
        const { nextCursor } = yield* ParleyClient.make(optionsOf(port, tenant)).pipe(
          Effect.flatMap((client) => client.events.list())
        )
        const client = yield* ParleyClient.make(optionsOf(way.port, tenant))
        yield* Effect.forkScoped(Effect.repeat(Effect.delay(act(tenant), "25 millis"), { times: 59 }))
        const seen = yield* client.events
          .follow({ after: nextCursor ?? "" })
          .pipe(Stream.take(60), Stream.runCollect, Effect.timeout("15 seconds"))
        assert.deepStrictEqual(
          seen.map(({ position }) => position),
          upTo(60)
        )
        assert.isAbove(way.cuts(), 3)
      }).pipe(Effect.provide(FetchHttpClient.layer)),
    20_000
  )

  it.effect(
    "fails with the domain's error once the session has ended",
    () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { port } = yield* Address
        const client = yield* ParleyClient.make(optionsOf(port, tenant))
        yield* Effect.forkScoped(
          Effect.delay(callPort(port, "POST", "/api/v1/auth/logout", { token: tenant.owner.token }), "200 millis")
        )
        const failure = yield* client.events.follow().pipe(Stream.runDrain, Effect.flip, Effect.timeout("5 seconds"))
        assert.instanceOf(failure, TokenRevoked)
      }).pipe(Effect.provide(FetchHttpClient.layer)),
    10_000
  )

  it.effect(
    "returns plain JSON to code without Effect until stopped",
    () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { port } = yield* Address
        const parley = ParleyClient.promise(optionsOf(port, tenant))
        yield* Effect.forkScoped(Effect.repeat(Effect.delay(act(tenant), "150 millis"), { times: 2 }))
        const seen = yield* Effect.promise(async () => {
          const stop = new AbortController()
          const seen: Array<ParleyClient.FollowedEvent> = []
          for await (const row of parley.events.follow({}, { signal: stop.signal })) {
            seen.push(row)
            if (seen.length === 2) stop.abort()
          }
          return seen
        })
        assert.deepStrictEqual(
          seen.slice(0, 2).map(({ at, event, position }) => [typeof at, event.type, position]),
          [
            ["string", "automation.created", 1],
            ["string", "automation.created", 2]
          ]
        )
      }),
    10_000
  )
})
