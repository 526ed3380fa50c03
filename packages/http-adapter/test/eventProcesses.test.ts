import { assert, describe, layer } from "@effect/vitest"
import type { Ports } from "@parley/domain/composition"
import { Database } from "@parley/postgres-adapter"
import { freshDatabase } from "@parley/postgres-adapter/testing"
import { generateMasterKey } from "@parley/provider-adapters/security"
import { Context, Effect, Exit, Layer, Random, type Redacted, Scope } from "effect"
import { assertStatus, at, rowsOf } from "./harness/answers.ts"
import { follow, type Row, until } from "./harness/eventStreams.ts"
import { layerPorts } from "./harness/postgres.ts"
import { startNode } from "./harness/processes.ts"
import { callPort } from "./harness/sockets.ts"
import { givenAutomationToken, givenTenant } from "./harness/tenants.ts"

class Installation extends Context.Service<
  Installation,
  { readonly database: Redacted.Redacted; readonly masterKeys: Redacted.Redacted }
>()("@parley/http-adapter/test/EventInstallation") {}

const layerInstallation = Layer.effect(
  Installation,
  Effect.gen(function* () {
    return Installation.of({ database: yield* freshDatabase, masterKeys: yield* generateMasterKey("k1") })
  })
)

const layerWorld = Layer.unwrap(
  Effect.map(Installation, ({ database, masterKeys }) =>
    layerPorts(Database.layer({ url: database, maxConnections: 4 }), { masterKeys })
  )
).pipe(Layer.provideMerge(layerInstallation)) satisfies Layer.Layer<Ports | Installation, unknown>

const twoNodes = Effect.flatMap(Installation, ({ database, masterKeys }) =>
  Effect.all([startNode(database, masterKeys), startNode(database, masterKeys)], { concurrency: 2 })
)

interface Caller {
  readonly token: Redacted.Redacted
  readonly organization: string
}

const ofOneOf = ([one, other]: readonly [number, number]) =>
  Effect.map(Random.nextBoolean, (first) => (first ? one : other))

const pause = (from: number, to: number) =>
  Effect.flatMap(Random.nextIntBetween(from, to), (millis) => Effect.sleep(millis))

/** Changes things, at one node, in all kinds of ways. */
const write = Effect.fnUntraced(function* (port: number, owner: Caller, name: string, turns: number) {
  for (let turn = 0; turn < turns; turn += 1) {
    if (yield* Random.nextBoolean) {
      assertStatus(yield* callPort(port, "POST", "/api/v1/automations", { ...owner, body: { name } }), 201)
    } else {
      const body = { name: `${name} ${turn}` }
      assertStatus(yield* callPort(port, "PATCH", "/api/v1/organization", { ...owner, body }), 200)
    }
    yield* pause(0, 15)
  }
})

/** Follows, is cut at any moment, and continues at either node, until all is written and no more events arrive. */
const read = Effect.fnUntraced(function* (
  ports: readonly [number, number],
  caller: Caller,
  begin: string,
  isOver: () => boolean
) {
  const seen: Array<Row> = []
  let lastEventId = begin
  let cuts = 0
  let quiet = 0
  while (quiet < 2) {
    const wasOver = isOver()
    const life = yield* Scope.make()
    const stream = yield* follow(yield* ofOneOf(ports), { ...caller, lastEventId }).pipe(Scope.provide(life))
    assert.strictEqual(stream.status, 200)
    yield* pause(0, wasOver ? 400 : 150)
    yield* Scope.close(life, Exit.void)
    yield* stream.ended
    seen.push(...stream.rows)
    lastEventId = stream.lastId() ?? lastEventId
    cuts += 1
    // The stream begins with what there is: said where it is and nothing more, there is no more.
    quiet = wasOver && stream.rows.length === 0 && stream.lastId() !== null ? quiet + 1 : 0
  }
  return { cuts, positions: seen.map(({ position }) => position) }
})

describe("the feed of two processes", () => {
  layer(layerWorld, { excludeTestServices: true })((it) => {
    it.effect.each([1, 2, 3])(
      "a reader that is cut and comes back at random misses nothing and sees nothing twice (seed %i)",
      (seed) =>
        Effect.gen(function* () {
          const [one, other] = yield* twoNodes
          const ports = [one.port, other.port] as const
          const tenant = yield* givenTenant()
          const owner = { token: tenant.owner.token, organization: tenant.organization.id }
          const { token } = yield* givenAutomationToken(tenant, ["events.read", "automations.read"])
          const narrow = { ...owner, token }
          const start = yield* callPort(one.port, "GET", "/api/v1/events", owner)
          const [first, begin] = [rowsOf(start).length, String(start.body.nextCursor)]
          let open = 4
          const writers = Effect.forEach(
            [one.port, other.port, one.port, other.port],
            (port, index) =>
              Effect.ensuring(
                write(port, owner, `Writer ${index}`, 60),
                Effect.sync(() => (open -= 1))
              ),
            { concurrency: "unbounded", discard: true }
          )
          const readers = Effect.forEach(
            [owner, owner, narrow, narrow],
            (caller) => read(ports, caller, begin, () => open === 0),
            { concurrency: "unbounded" }
          )
          const [, results] = yield* Effect.all([writers, readers], { concurrency: "unbounded" })

          const all: Array<{ readonly position: number; readonly type: string }> = []
          let cursor = begin
          while (true) {
            const page = yield* callPort(other.port, "GET", `/api/v1/events?limit=100&after=${cursor}`, owner)
            const rows = rowsOf(page)
            if (rows.length === 0) break
            for (const row of rows)
              all.push({ position: Number(at(row, "position")), type: String(at(row, "event", "type")) })
            cursor = String(page.body.nextCursor)
          }
          const positions = all.map(({ position }) => position)
          assert.deepStrictEqual(
            positions,
            Array.from({ length: 240 }, (_, index) => first + index + 1)
          )
          const visible = all.filter(({ type }) => type.startsWith("automation.")).map(({ position }) => position)
          assert.deepStrictEqual(
            results.map((result) => result.positions),
            [positions, positions, visible, visible]
          )
          assert.isAbove(Math.min(...results.map(({ cuts }) => cuts)), 5)
        }).pipe(Effect.scoped, Random.withSeed(seed)),
      60_000
    )

    it.effect(
      "a commit of one process reaches a reader of the other within a quarter of a second, and a revocation ends the stream there",
      () =>
        Effect.gen(function* () {
          const [one, other] = yield* twoNodes
          const tenant = yield* givenTenant()
          const owner = { token: tenant.owner.token, organization: tenant.organization.id }
          const { automationToken, token } = yield* givenAutomationToken(tenant, ["events.read", "automations.read"])
          const stream = yield* follow(other.port, { ...owner, token })
          yield* until("it says where it is", () => stream.lastId() !== null)
          yield* Effect.sleep("200 millis")
          const lags: Array<number> = []
          for (let turn = 0; turn < 20; turn += 1) {
            const before = stream.rows.length
            assertStatus(
              yield* callPort(one.port, "POST", "/api/v1/automations", { ...owner, body: { name: "Greet" } }),
              201
            )
            lags.push(yield* until("the event is there", () => stream.rows.length > before))
            yield* Effect.sleep("60 millis")
          }
          assert.isBelow(lags.toSorted((a, b) => a - b)[10] ?? Infinity, 250)
          const revoked = yield* callPort(one.port, "DELETE", `/api/v1/auth/tokens/${automationToken.id}`, owner)
          assertStatus(revoked, 204)
          yield* until("it has ended", stream.hasEnded, 1_250)
        }).pipe(Effect.scoped),
      30_000
    )
  })
})
