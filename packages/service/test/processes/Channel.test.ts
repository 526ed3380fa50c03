import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Option } from "effect"
import { TestClock } from "effect/testing"
import { openChannel } from "../../src/processes/Channel.ts"
import { wires } from "./wires.ts"

describe("a channel between two processes", () => {
  it.effect("reports readiness and metrics in both directions", () =>
    Effect.gen(function* () {
      const [here, there] = wires()
      const one = yield* openChannel(here, Effect.succeed("one"), "1 second")
      const other = yield* openChannel(there, Effect.succeed("other"), "1 second")
      yield* other.tellReady
      yield* one.ready
      const result = yield* Effect.all([one.metrics, other.metrics, one.metrics], { concurrency: "unbounded" })
      assert.deepStrictEqual(result, [Option.some("other"), Option.some("one"), Option.some("other")])
    })
  )

  it.effect("does without an answer after so long as it waits, and hears nothing that is no message", () =>
    Effect.gen(function* () {
      const [here, there] = wires()
      const one = yield* openChannel(here, Effect.succeed("one"), "1 second")
      yield* openChannel(there, Effect.never, "1 second")
      for (const nonsense of [null, "ready", { kind: "metrics_told", number: 0 }, { kind: "stop" }]) {
        there.send(nonsense as never)
      }
      const asking = yield* Effect.forkChild(one.metrics)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* Fiber.join(asking), Option.none())
    })
  )
})
