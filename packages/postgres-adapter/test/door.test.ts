import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { Door } from "../src/connections/Door.ts"
import { drawing, SteppedScheduler } from "./support/SteppedScheduler.ts"

/** Six who come and go through one door, some of whom are interrupted wherever they are, in an order that the seed draws. */
function visit(seed: number) {
  const scheduler = new SteppedScheduler(seed)
  const draw = drawing(-seed)
  const door = new Door()
  let shared = 0
  let alone = 0
  let together = false

  const stay = (enter: () => void, leave: () => void) =>
    Effect.acquireUseRelease(
      Effect.sync(() => {
        enter()
        together ||= alone > 1 || (alone === 1 && shared > 0)
      }),
      () => Effect.yieldNow,
      () => Effect.sync(leave)
    )
  const others = door.share(
    stay(
      () => (shared += 1),
      () => (shared -= 1)
    )
  )
  const oneself = Effect.scoped(
    Effect.andThen(
      door.alone,
      stay(
        () => (alone += 1),
        () => (alone -= 1)
      )
    )
  )

  const visitors = Array.from({ length: 6 }, () => (draw(2) === 0 ? others : oneself))
  const program = Effect.gen(function* () {
    const inside = yield* Effect.forEach(visitors, (visitor) => Effect.forkChild(Effect.exit(visitor)))
    for (const fiber of inside) if (draw(3) === 0) yield* Effect.forkChild(Fiber.interrupt(fiber))
    yield* Fiber.awaitAll(inside)
  })
  const run = Effect.runFork(program, { scheduler })
  scheduler.run()
  return { exit: run.pollUnsafe(), together, isFree: door.isFree }
}

describe("The door of a session", () => {
  it("keeps apart whoever is alone, forgets nobody who waits, and is free when all have left", () => {
    for (let seed = 1; seed <= 2_000; seed += 1) {
      const { exit, isFree, together } = visit(seed)
      assert.isDefined(exit, `seed ${seed}: somebody waits for ever`)
      assert.isTrue(Exit.isSuccess(exit), `seed ${seed}: ${String(exit)}`)
      assert.isFalse(together, `seed ${seed}: somebody who wanted to be alone was not`)
      assert.isTrue(isFree, `seed ${seed}: somebody who has left counts as inside`)
    }
  })
})
