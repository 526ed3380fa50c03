import { assert, layer } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { layerServer } from "@parley/postgres-adapter/testing"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { layer as layerNotifications } from "../src/platform/events/Notifications.ts"
import { layer as layerRecentReads, RecentReads } from "../src/kernel/RecentReads.ts"
import { layer as layerUnitOfWork } from "../src/kernel/UnitOfWork.ts"

const live = Layer.merge(layerRecentReads, Layer.provide(layerUnitOfWork, layerNotifications)).pipe(
  Layer.provide(layerServer)
)

/** A remembered read of a value that the test changes, and how often it was really read. */
const given = Effect.gen(function* () {
  const recent = yield* RecentReads
  const source = { value: "old", reads: 0 }
  const read = yield* recent.remember((key) =>
    Effect.sync(() => {
      source.reads += 1
      return `${source.value} ${key}`
    })
  )
  return { forget: recent.forget, read, source }
})

layer(live)("RecentReads", (it) => {
  it.effect("remembers a read for half a second, and no longer", () =>
    Effect.gen(function* () {
      const { read, source } = yield* given
      assert.strictEqual(yield* read("a"), "old a")
      source.value = "new"
      yield* TestClock.adjust("499 millis")
      assert.strictEqual(yield* read("a"), "old a")
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* read("a"), "new a")
      assert.strictEqual(source.reads, 2)
    })
  )

  it.effect("counts the age from before the read, so that what was read slowly is forgotten sooner", () =>
    Effect.gen(function* () {
      const recent = yield* RecentReads
      const source = { value: "old" }
      const read = yield* recent.remember(() =>
        Effect.suspend(() => {
          const { value } = source
          return Effect.as(Effect.sleep("400 millis"), value)
        })
      )
      const reading = yield* Effect.forkChild(read("a"))
      yield* TestClock.adjust("400 millis")
      assert.strictEqual(yield* Fiber.join(reading), "old")
      source.value = "new"
      yield* TestClock.adjust("100 millis")
      const again = yield* Effect.forkChild(read("a"))
      yield* TestClock.adjust("400 millis")
      assert.strictEqual(yield* Fiber.join(again), "new")
    })
  )

  it.effect("reads once for all who ask at the same time", () =>
    Effect.gen(function* () {
      const recent = yield* RecentReads
      const gate = yield* Deferred.make<string>()
      const source = { reads: 0 }
      const read = yield* recent.remember(() =>
        Effect.suspend(() => {
          source.reads += 1
          return Deferred.await(gate)
        })
      )
      const asking = yield* Effect.forkChild(Effect.replicateEffect(read("a"), 50, { concurrency: "unbounded" }))
      yield* Effect.yieldNow
      yield* Deferred.succeed(gate, "answer")
      assert.deepStrictEqual(new Set(yield* Fiber.join(asking)), new Set(["answer"]))
      assert.strictEqual(source.reads, 1)
    })
  )

  it.effect("an interrupted reader does not interrupt the shared read for others", () =>
    Effect.gen(function* () {
      const recent = yield* RecentReads
      const gate = yield* Deferred.make<string>()
      const read = yield* recent.remember(() => Deferred.await(gate))
      const first = yield* Effect.forkChild(read("a"), { startImmediately: true })
      const second = yield* Effect.forkChild(read("a"), { startImmediately: true })
      yield* Fiber.interrupt(first)
      yield* Deferred.succeed(gate, "answer")
      assert.strictEqual(yield* Fiber.join(second), "answer")
    })
  )

  it.effect("remembers no failure, and nothing that is not there", () =>
    Effect.gen(function* () {
      const recent = yield* RecentReads
      const source: { answer: Effect.Effect<string | null> } = { answer: Effect.die("broken") }
      const read = yield* recent.remember(() => Effect.suspend(() => source.answer))
      assert.strictEqual((yield* Effect.exit(read("a")))._tag, "Failure")
      source.answer = Effect.succeed(null)
      assert.isNull(yield* read("a"))
      source.answer = Effect.succeed("answer")
      assert.strictEqual(yield* read("a"), "answer")
    })
  )

  it.effect("remembers so much and no more", () =>
    Effect.gen(function* () {
      const { read, source } = yield* given
      yield* Effect.forEach(
        Array.from({ length: 20_001 }, (_, index) => String(index)),
        read,
        { discard: true }
      )
      yield* read("0")
      assert.strictEqual(source.reads, 20_002)
      yield* read("20000")
      assert.strictEqual(source.reads, 20_002)
    })
  )

  it.effect("forgets directly outside of a unit of work", () =>
    Effect.gen(function* () {
      const { forget, read, source } = yield* given
      yield* read("a")
      source.value = "new"
      yield* forget
      assert.strictEqual(yield* read("a"), "new a")
    })
  )

  it.effect("forgets after the commit of the unit of work, also when it was said in a nested one", () =>
    Effect.gen(function* () {
      const { forget, read, source } = yield* given
      yield* read("a")
      yield* transact(
        Effect.gen(function* () {
          yield* transact(forget)
          source.value = "new"
        })
      )
      assert.strictEqual(yield* read("a"), "new a")
    })
  )

  it.effect("forgets nothing for a failed unit of work, nor for a failed nested one", () =>
    Effect.gen(function* () {
      const { forget, read, source } = yield* given
      yield* read("a")
      source.value = "new"
      yield* Effect.andThen(forget, Effect.fail("refused")).pipe(transact, Effect.flip)
      yield* transact(Effect.flip(transact(Effect.andThen(forget, Effect.fail("refused")))))
      assert.strictEqual(yield* read("a"), "old a")
    })
  )

  it.effect("inside of a unit of work reads again and remembers nothing", () =>
    Effect.gen(function* () {
      const { read, source } = yield* given
      yield* read("a")
      source.value = "not committed"
      assert.strictEqual(yield* transact(read("a")), "not committed a")
      assert.strictEqual(yield* transact(read("b")), "not committed b")
      source.value = "rolled back"
      assert.strictEqual(yield* read("a"), "old a")
      assert.strictEqual(yield* read("b"), "rolled back b")
    })
  )

  it.effect("a running read is not remembered after a forget", () =>
    Effect.gen(function* () {
      const recent = yield* RecentReads
      const gate = yield* Deferred.make<void>()
      const source = { value: "old" }
      const read = yield* recent.remember(() =>
        Effect.suspend(() => {
          const { value } = source
          return value === "old" ? Effect.as(Deferred.await(gate), value) : Effect.succeed(value)
        })
      )
      const early = yield* Effect.forkChild(read("a"), { startImmediately: true })
      source.value = "new"
      yield* recent.forget
      assert.strictEqual(yield* read("a"), "new")
      yield* Deferred.succeed(gate, undefined)
      assert.strictEqual(yield* Fiber.join(early), "old")
      assert.strictEqual(yield* read("a"), "new")
    })
  )
})
