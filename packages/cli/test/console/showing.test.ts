import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Fiber, Layer, Ref } from "effect"
import { TerminalCapabilities } from "effect/cli"
import { TestClock, TestConsole } from "effect/testing"
import { showing } from "../../src/console/progress.ts"

const nobodyWatches = Layer.succeed(TerminalCapabilities.TerminalCapabilities, {
  canPrompt: false,
  canColor: false,
  canAnimate: false
})

describe("long-running progress", () => {
  it.effect("is printed without a terminal at each step and at the end", () =>
    Effect.gen(function* () {
      const at = yield* Ref.make("waiting")
      const read = Effect.map(Ref.get(at), (line) => ({ line, isOver: line === "completed" }))
      const shown = yield* Effect.forkChild(showing(read, ({ line }) => line, Duration.seconds(1)))
      yield* TestClock.adjust("1 minutes")
      yield* Ref.set(at, "running")
      yield* TestClock.adjust("1 minutes")
      yield* Ref.set(at, "completed")
      yield* TestClock.adjust("1 seconds")
      yield* Fiber.join(shown)
      assert.deepStrictEqual(yield* TestConsole.errorLines, ["waiting", "running", "completed"])
    }).pipe(Effect.provide([nobodyWatches, NodeServices.layer]))
  )
})
