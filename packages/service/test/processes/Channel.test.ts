import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Option } from "effect"
import { TestClock } from "effect/testing"
import { openChannel, type Wire } from "../../src/processes/Channel.ts"

/** Two ends of a wire: what the one sends, the other hears. */
const wire = (): readonly [Wire, Wire] => {
  const heard: [(message: unknown) => void, (message: unknown) => void] = [() => {}, () => {}]
  const end = (own: 0 | 1, other: 0 | 1): Wire => ({
    send: (message) => heard[other](message),
    onMessage: (hear) => {
      heard[own] = hear
    }
  })
  return [end(0, 1), end(1, 0)]
}

describe("a channel between two processes", () => {
  it.effect("says when the other one is ready, and what its metrics are, either way and at once", () =>
    Effect.gen(function* () {
      const [here, there] = wire()
      const one = yield* openChannel(here, Effect.succeed("one"))
      const other = yield* openChannel(there, Effect.succeed("other"))
      yield* other.tellReady
      yield* one.ready
      const told = yield* Effect.all([one.metrics, other.metrics, one.metrics], { concurrency: "unbounded" })
      assert.deepStrictEqual(told, [Option.some("other"), Option.some("one"), Option.some("other")])
    })
  )

  it.effect("does without an answer after a second, and hears nothing that is no message", () =>
    Effect.gen(function* () {
      const [here, there] = wire()
      const one = yield* openChannel(here, Effect.succeed("one"))
      yield* openChannel(there, Effect.never)
      for (const nonsense of [null, "ready", { kind: "metrics_told", number: 0 }, { kind: "stop" }]) {
        there.send(nonsense as never)
      }
      const asking = yield* Effect.forkChild(one.metrics)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* Fiber.join(asking), Option.none())
    })
  )
})
