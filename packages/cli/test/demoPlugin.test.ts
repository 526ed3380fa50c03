import { assert, describe, it } from "@effect/vitest"
import { Clock, Duration, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { untilStarted } from "../src/demo/plugin.ts"

/** An attempt that fails until this time has passed. */
const failingFor = (duration: Duration.Input) => {
  const times: Array<number> = []
  const attempt = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    times.push(now)
    return now < Duration.toMillis(duration) ? yield* Effect.fail("slow") : now
  })
  return { attempt, times }
}

describe("the plugin of the demo", () => {
  it.effect("is tried again, ever less often, until it has started", () =>
    Effect.gen(function* () {
      const { attempt, times } = failingFor("20 minutes")
      const fiber = yield* Effect.forkChild(untilStarted(attempt))
      yield* TestClock.adjust("1 hour")
      const started = yield* Fiber.join(fiber)
      assert.isAtMost(started, Duration.toMillis("21 minutes"))
      const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
      assert.deepStrictEqual(gaps.slice(0, 2), [250, 250])
      assert.strictEqual(Math.max(...gaps), 30_000)
      assert.isBelow(times.length, 170)
    })
  )
})
