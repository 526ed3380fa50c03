import { assert, describe, it } from "@effect/vitest"
import { type GroupResult, makeGroups, StorageUnavailable, Transaction } from "@parley/domain/kernel"
import { Cause, Deferred, Effect, Exit, Fiber } from "effect"

/** Groups of numbers that wait for `opened` before each unit of work, and double the numbers. */
const given = Effect.fnUntraced(function* (
  handle: (items: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<GroupResult<number, "odd">>> = (items) =>
    Effect.succeed(items.map((item) => Exit.succeed(item * 2))),
  limit = 3
) {
  const groups: Array<ReadonlyArray<number>> = []
  const opened = yield* Deferred.make<void>()
  const started = yield* Deferred.make<void>()
  const { run } = yield* makeGroups({
    limit,
    together: (_key: string, items: ReadonlyArray<number>) =>
      Effect.gen(function* () {
        groups.push(items)
        yield* Deferred.succeed(started, undefined)
        yield* Deferred.await(opened)
        return yield* handle(items)
      })
  })
  const alone: Array<number> = []
  const write = (item: number, key = "a") =>
    run(
      key,
      item,
      Effect.sync(() => {
        alone.push(item)
        return -item
      })
    )
  return { alone, groups, open: Deferred.succeed(opened, undefined), started: Deferred.await(started), write }
})

const startAll = (effects: ReadonlyArray<Effect.Effect<number, "odd">>) =>
  Effect.forEach(effects, (effect) => Effect.forkChild(effect, { startImmediately: true }))

describe("groups", () => {
  it.effect("starts an item without others immediately and lets later items wait in groups up to the limit", () =>
    Effect.gen(function* () {
      const { groups, open, started, write } = yield* given()
      const first = yield* startAll([write(1)])
      yield* started
      const rest = yield* startAll([2, 3, 4, 5].map((item) => write(item)))
      assert.deepStrictEqual(groups, [[1]])
      yield* open
      assert.deepStrictEqual(yield* Fiber.joinAll([...first, ...rest]), [2, 4, 6, 8, 10])
      assert.deepStrictEqual(groups, [[1], [2, 3, 4], [5]])
    })
  )

  it.effect("runs groups of different keys concurrently", () =>
    Effect.gen(function* () {
      const { groups, open, started, write } = yield* given()
      const fibers = yield* startAll([write(1, "a"), write(2, "b")])
      yield* started
      yield* Effect.yieldNow
      assert.deepStrictEqual(groups, [[1], [2]])
      yield* open
      assert.deepStrictEqual(yield* Fiber.joinAll(fibers), [2, 4])
    })
  )

  it.effect("reports each refusal to its own caller", () =>
    Effect.gen(function* () {
      const { open, write } = yield* given((items) =>
        Effect.succeed(items.map((item) => (item % 2 === 0 ? Exit.succeed(item) : Exit.fail("odd" as const))))
      )
      const fibers = yield* startAll([2, 3, 4].map((item) => write(item)))
      yield* open
      const exits = yield* Effect.forEach(fibers, Fiber.await)
      assert.deepStrictEqual(exits, [Exit.succeed(2), Exit.fail("odd" as const), Exit.succeed(4)])
    })
  )

  it.effect("runs each item alone after a defect, and items that the group leaves out", () =>
    Effect.gen(function* () {
      const failing = yield* given(() => Effect.die("conflict"))
      const fibers = yield* startAll([1, 2].map((item) => failing.write(item)))
      yield* failing.open
      assert.deepStrictEqual(yield* Fiber.joinAll(fibers), [-1, -2])
      const leaving = yield* given((items) =>
        Effect.succeed(items.map((item) => (item === 1 ? "alone" : Exit.succeed(0))))
      )
      const others = yield* startAll([1, 2].map((item) => leaving.write(item)))
      yield* leaving.open
      assert.deepStrictEqual(yield* Fiber.joinAll(others), [-1, 0])
      assert.deepStrictEqual(leaving.alone, [1])
    })
  )

  it.effect("repeats no item after an outage, because the commit can have succeeded", () =>
    Effect.gen(function* () {
      const outage = new StorageUnavailable({ reason: "connection lost", outcome: "unknown", isAway: true })
      const { alone, open, write } = yield* given(() => Effect.die(outage))
      const fibers = yield* startAll([1, 2].map((item) => write(item)))
      yield* open
      for (const exit of yield* Effect.forEach(fibers, Fiber.await)) {
        assert.strictEqual(Exit.isFailure(exit) && Cause.squash(exit.cause), outage)
      }
      assert.deepStrictEqual(alone, [])
    })
  )

  it.effect("removes the waiting item of an interrupted caller and does not interrupt a group", () =>
    Effect.gen(function* () {
      const { groups, open, started, write } = yield* given()
      const first = yield* startAll([write(1)])
      yield* started
      const second = yield* startAll([write(2)])
      const third = yield* startAll([write(3)])
      yield* Fiber.interruptAll([...first, ...second])
      yield* open
      assert.deepStrictEqual(yield* Fiber.joinAll(third), [6])
      assert.deepStrictEqual(groups, [[1], [3]])
    })
  )

  it.effect("does not join a group inside a unit of work", () =>
    Effect.gen(function* () {
      const { groups, write } = yield* given()
      assert.strictEqual(yield* Effect.provideService(write(1), Transaction, {}), -1)
      assert.deepStrictEqual(groups, [])
    })
  )

  it.effect("starts again after all items are processed", () =>
    Effect.gen(function* () {
      const { groups, open, write } = yield* given()
      yield* open
      assert.strictEqual(yield* write(1), 2)
      assert.strictEqual(yield* write(2), 4)
      assert.deepStrictEqual(groups, [[1], [2]])
    })
  )
})
