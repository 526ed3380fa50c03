import { assert, describe, it } from "@effect/vitest"
import { make } from "@parley/provider-adapters/stores/shopify"
import { StoreSimulator } from "@parley/simulators/store"
import { Effect, Layer } from "effect"
import { NodeHttpClient } from "@effect/platform-node"
import { app, connect, domain, platform, shop, simulated } from "./simulated.ts"

const idsOf = Effect.map(StoreSimulator, ({ books }) => [...books(domain).orders()].map(({ externalId }) => externalId))

describe("The pace of calls", () => {
  it.live("follows what is left in the bucket, also where others take from it", () =>
    Effect.gen(function* () {
      const { url } = yield* StoreSimulator
      const { access } = yield* connect()
      const ids = yield* idsOf
      // Two processes: each knows the bucket from its own answers only.
      const others = yield* Effect.all([make({ app, baseUrl: url }), make({ app, baseUrl: url })])
      yield* Effect.forEach(
        others,
        ({ read }) => Effect.forEach([0, 10, 20], (from) => read(access, "orders", ids.slice(from, from + 30))),
        { concurrency: "unbounded" }
      )
      const calls = (yield* StoreSimulator).calls().filter(({ kind }) => kind === "graphql")
      assert.isAbove(calls.length, 12)
      for (const [index, { throttled }] of calls.entries()) {
        assert.isFalse(throttled && calls[index - 1]?.throttled === true, `${index} was throttled again`)
      }
    }).pipe(
      Effect.scoped,
      Effect.provide(
        Layer.merge(
          NodeHttpClient.layerUndici,
          simulated(
            { shops: [{ ...shop, points: 2_000, pointsPerSecond: 10_000 }] },
            { furtherScopes: ["read_all_orders"] }
          )
        )
      )
    )
  )

  it.live("waits and repeats a throttled call once, and reports a second throttle", () =>
    Effect.gen(function* () {
      const simulator = yield* StoreSimulator
      const { access } = yield* connect()
      const { shop: tell } = yield* platform
      simulator.misbehave({ on: "graphql", what: { kind: "throttled" } })
      yield* tell(access)
      assert.deepStrictEqual(
        simulator.calls().flatMap(({ kind, throttled }) => (kind === "graphql" ? [throttled] : [])),
        [true, false]
      )
      simulator.misbehave({ on: "graphql", times: 2, what: { kind: "throttled" } })
      const error = yield* Effect.flip(tell(access))
      assert.include(error, { _tag: "StoreRefused", remedy: "slow_down", code: "THROTTLED" })
    }).pipe(Effect.provide(simulated()))
  )

  it.live("comes back no sooner than a shop says, and does not wait for long", () =>
    Effect.gen(function* () {
      const simulator = yield* StoreSimulator
      const { access } = yield* connect()
      const { shop: tell } = yield* platform
      simulator.misbehave({
        on: "graphql",
        what: { kind: "status", status: 429, headers: { "retry-after": "300.0" } }
      })
      const error = yield* Effect.flip(tell(access))
      assert.include(error, { _tag: "StoreRefused", remedy: "slow_down" })
      assert.isAbove(error._tag === "StoreRefused" ? (error.retryAfterMillis ?? 0) : 0, 200_000)
      // No call starts before that.
      yield* Effect.flip(tell(access))
      assert.lengthOf(
        simulator.calls().filter(({ kind }) => kind === "graphql"),
        1
      )
    }).pipe(Effect.provide(simulated()))
  )
})
