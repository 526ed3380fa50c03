import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { makeTurns } from "../src/server/Idempotency.ts"

it.effect("a limited number runs, a limited number waits, and others get a retry answer", () =>
  Effect.gen(function* () {
    const inTurn = makeTurns({ atOnce: 2, waiting: 3 })
    const open = yield* Deferred.make<void>()
    let running = 0
    const work = inTurn(
      Effect.andThen(
        Effect.sync(() => {
          running += 1
        }),
        Deferred.await(open)
      )
    )
    const fibers = yield* Effect.forEach(Array.from({ length: 5 }), () => Effect.forkChild(work))
    yield* Effect.yieldNow
    assert.strictEqual(running, 2)
    const refused = yield* Effect.flip(work)
    assert.deepStrictEqual([refused._tag, refused.retryAfterSeconds], ["LoginOverloaded", 2])

    yield* Fiber.interrupt(fibers[4] ?? assert.fail("There is no such fiber."))
    const another = yield* Effect.forkChild(work)
    yield* Effect.yieldNow
    yield* Deferred.succeed(open, undefined)
    yield* Fiber.joinAll([...fibers.slice(0, 4), another])
    assert.strictEqual(running, 5)
    yield* work
    assert.strictEqual(running, 6)
  })
)
