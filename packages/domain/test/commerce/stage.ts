import { it } from "@effect/vitest"
import type { Ports } from "@parley/domain/composition"
import { MemoryStores, type StoreScript, TestKit } from "@parley/testkit"
import { Effect, Layer } from "effect"

const kit = Layer.merge(TestKit.layer, MemoryStores.layer)

/** Each test has a separate store and platform. */
export const test = <A, E>(name: string, body: () => Effect.Effect<A, E, Ports | StoreScript>) =>
  it.effect(name, () => Effect.provide(body(), kit, { local: true }))
