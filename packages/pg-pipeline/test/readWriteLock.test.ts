import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { ReadWriteLock } from "../src/ReadWriteLock.ts"
import { drawing, SteppedScheduler } from "./support/SteppedScheduler.ts"

/** Six callers use one lock in an order that the seed draws. Some are interrupted at a random step. */
function simulate(seed: number) {
  const scheduler = new SteppedScheduler(seed)
  const draw = drawing(-seed)
  const lock = new ReadWriteLock()
  let shared = 0
  let exclusive = 0
  let isViolated = false

  const stay = (enter: () => void, leave: () => void) =>
    Effect.acquireUseRelease(
      Effect.sync(() => {
        enter()
        isViolated ||= exclusive > 1 || (exclusive === 1 && shared > 0)
      }),
      () => Effect.yieldNow,
      () => Effect.sync(leave)
    )
  const reader = lock.shared(
    stay(
      () => (shared += 1),
      () => (shared -= 1)
    )
  )
  const writer = Effect.scoped(
    Effect.andThen(
      lock.exclusive,
      stay(
        () => (exclusive += 1),
        () => (exclusive -= 1)
      )
    )
  )

  const callers = Array.from({ length: 6 }, () => (draw(2) === 0 ? reader : writer))
  const program = Effect.gen(function* () {
    const fibers = yield* Effect.forEach(callers, (caller) => Effect.forkChild(Effect.exit(caller)))
    for (const fiber of fibers) if (draw(3) === 0) yield* Effect.forkChild(Fiber.interrupt(fiber))
    yield* Fiber.awaitAll(fibers)
  })
  const run = Effect.runFork(program, { scheduler })
  scheduler.run()
  return { exit: run.pollUnsafe(), isViolated, isFree: lock.isFree }
}

describe("the read-write lock", () => {
  it("excludes other callers, wakes every waiting caller, and is free at the end", () => {
    for (let seed = 1; seed <= 2_000; seed += 1) {
      const { exit, isFree, isViolated } = simulate(seed)
      assert.isDefined(exit, `seed ${seed}: a caller waits forever`)
      assert.isTrue(Exit.isSuccess(exit), `seed ${seed}: ${String(exit)}`)
      assert.isFalse(isViolated, `seed ${seed}: an exclusive caller shared the lock`)
      assert.isTrue(isFree, `seed ${seed}: a caller that has left counts as a holder`)
    }
  })
})
