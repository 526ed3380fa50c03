import { assert, describe, it } from "@effect/vitest"
import { Vault } from "@parley/domain/kernel"
import { StorePlatforms, withShop } from "@parley/domain/commerce"
import { asOperatorOf, givenOrganization, givenShop, MemoryStores, StoreScript } from "@parley/testkit"
import { Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { givenNodes, onAll } from "./support/nodes.ts"

describe("the access to a shop, on two processes", () => {
  it.effect(
    "is renewed once for 100 callers, and all get the same token",
    () =>
      Effect.gen(function* () {
        const nodes = yield* givenNodes(2)
        const [first = assert.fail()] = nodes
        const platforms = yield* StorePlatforms
        const script = yield* StoreScript
        const vault = yield* Effect.provide(Vault, first)
        // Both processes have one provider and one master key.
        const here = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
          effect.pipe(Effect.provideService(StorePlatforms, platforms), Effect.provideService(Vault, vault))
        const { connection, organization } = yield* Effect.gen(function* () {
          const organization = yield* givenOrganization()
          return { organization, connection: yield* givenShop(organization).pipe(here) }
        }).pipe(Effect.provide(first))
        yield* TestClock.adjust("1 hour")
        const tokens = yield* onAll(nodes, 100, () =>
          withShop(connection.id, ({ access, platform }) =>
            Effect.map(platform.shop(access), () => Redacted.value(access.accessToken))
          ).pipe(here, asOperatorOf(organization))
        )
        assert.strictEqual(new Set(tokens).size, 1)
        assert.strictEqual(yield* script.calls("refresh"), 1)
      }).pipe(Effect.provide(Layer.fresh(MemoryStores.layer))),
    60_000
  )
})
