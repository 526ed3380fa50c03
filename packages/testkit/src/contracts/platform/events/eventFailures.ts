import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { EventCursors } from "@parley/domain/platform"
import { DateTime, Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import type { StorageContract } from "../../contract.ts"
import { givenOrganization, inside, present } from "../../given.ts"
import {
  created,
  append,
  note,
  notedBy,
  newConsumer,
  type Tested,
  follow,
  settle,
  cursorOf,
  parkedOf,
  upTo,
  failingOn,
  inNew
} from "./eventConsumers.ts"

/** Interrupted and failing events are handled again, then parked. */
export const eventFailuresPromises: StorageContract["promises"] = (it, overlap) => {
  it.effect("a commit that fails leaves neither what was done nor the move of the cursor", () =>
    inNew(() =>
      Effect.gen(function* () {
        let failures = 2
        const consumer = newConsumer({
          after: () => Effect.suspend(() => (failures-- > 0 ? Effect.die(new Error("gone")) : Effect.void))
        })
        yield* append(created(), created(), created())
        yield* settle(consumer)
        assert.deepStrictEqual(yield* notedBy(consumer), [1, 2, 3])
        assert.deepStrictEqual(yield* parkedOf(consumer), [])
      })
    )
  )

  it.effect("repeats work that was interrupted before its commit, once", () =>
    inNew(() =>
      Effect.gen(function* () {
        const isDone = yield* Deferred.make<void>()
        const dying = newConsumer({
          after: () => Effect.andThen(Deferred.succeed(isDone, undefined), Effect.never)
        })
        const living: Tested = { ...newConsumer(), name: dying.name, handle: (events) => note(dying.name, events) }
        yield* append(created(), created())
        const fiber = yield* Effect.forkChild(follow(dying))
        yield* Deferred.await(isDone)
        yield* Fiber.interrupt(fiber)
        assert.deepStrictEqual(yield* notedBy(dying), [])
        yield* settle(living)
        assert.deepStrictEqual(yield* notedBy(dying), [1, 2])
        assert.deepStrictEqual(yield* cursorOf(living).pipe(Effect.map(({ attempts }) => attempts)), 0)
      })
    )
  )

  it.effect("several workers of one organization handle each event once, in order", () =>
    inNew(() =>
      Effect.gen(function* () {
        const seen: Array<number> = []
        const consumer = newConsumer({
          batch: 4,
          before: () => Effect.yieldNow,
          after: (events) =>
            Effect.sync(() => {
              for (const { position } of events) seen.push(position)
            })
        })
        const write = Effect.forEach(upTo(12), () => append(created(), created()), { discard: true })
        const process = Effect.forEach(upTo(30), () => Effect.andThen(Effect.yieldNow, follow(consumer)), {
          discard: true
        })
        yield* Effect.all([write, process, process, process], { concurrency: "unbounded" })
        yield* settle(consumer)
        assert.deepStrictEqual(
          yield* notedBy(consumer).pipe(Effect.map((all) => all.toSorted((a, b) => a - b))),
          upTo(24)
        )
        assert.deepStrictEqual(seen, upTo(24))
      })
    )
  )

  if (overlap === "writers") {
    it.effect("the owner of a cursor blocks no other worker", () =>
      inNew(() =>
        Effect.gen(function* () {
          const [isDone, goesOn] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
          const consumer = newConsumer({
            after: () => Effect.andThen(Deferred.succeed(isDone, undefined), Deferred.await(goesOn))
          })
          yield* append(created())
          yield* Effect.andThen(EventCursors, (port) => transact(port.begin(consumer.name, null)))
          const fiber = yield* Effect.forkChild(follow(consumer))
          yield* Deferred.await(isDone)
          const again = yield* follow(consumer)
          assert.isTrue(again !== null && DateTime.isGreaterThan(again, yield* DateTime.now))
          yield* Deferred.succeed(goesOn, undefined)
          yield* Fiber.join(fiber)
          assert.deepStrictEqual(yield* notedBy(consumer), [1])
        })
      )
    )
  }

  it.effect("tries an event that fails again, later and later, then parks it with its reason and goes on", () =>
    inNew(() =>
      Effect.gen(function* () {
        const poison = new Set([3])
        const consumer = newConsumer({ after: failingOn(poison) })
        yield* append(created(), created(), created(), created(), created())
        const start = DateTime.toEpochMillis(yield* DateTime.now)
        const waits: Array<number> = []
        while (true) {
          const again = yield* follow(consumer)
          if (again === null) break
          const wait = DateTime.toEpochMillis(again) - DateTime.toEpochMillis(yield* DateTime.now)
          if (wait === 0) continue
          assert.deepStrictEqual(yield* notedBy(consumer), [1, 2])
          const { attempts, next, position, reason } = yield* cursorOf(consumer)
          assert.deepStrictEqual(
            [position, next?.position, attempts, reason],
            [2, 3, waits.length + 1, "It cannot be done."]
          )
          assert.deepStrictEqual(yield* follow(consumer), again)
          waits.push(wait / 1_000)
          yield* TestClock.adjust(wait)
        }
        assert.deepStrictEqual(waits, [1, 2, 4, 8, 16, 32, 64])
        assert.deepStrictEqual(yield* notedBy(consumer), [1, 2, 4, 5])
        const parked = yield* parkedOf(consumer)
        assert.deepStrictEqual(
          parked.map(({ attempts, isReplayed, parkedAt, position, reason, type }) => [
            position,
            type,
            attempts,
            reason,
            DateTime.toEpochMillis(parkedAt) - start,
            isReplayed
          ]),
          [[3, "automation.created", 8, "It cannot be done.", 127_000, false]]
        )
        const { attempts, next, parked: count, position } = yield* cursorOf(consumer)
        assert.deepStrictEqual([position, next, attempts, count], [5, null, 0, 1])
      })
    )
  )

  it.effect("an event that fails holds back no other event consumer and no other organization", () =>
    Effect.gen(function* () {
      yield* present
      const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
      const failing = newConsumer({
        before: (events) =>
          events.length > 0 && events[0]?.actor.id === "contract" && stuck ? Effect.fail("refused") : Effect.void
      })
      let stuck = true
      const fine = newConsumer()
      for (const organization of [one, other]) yield* append(created()).pipe(inside(organization))
      assert.isNotNull(yield* follow(failing).pipe(inside(one)))
      yield* settle(fine).pipe(inside(one))
      stuck = false
      yield* settle(failing).pipe(inside(other))
      assert.deepStrictEqual(yield* notedBy(failing).pipe(inside(one)), [])
      assert.deepStrictEqual(yield* notedBy(fine).pipe(inside(one)), [1])
      assert.deepStrictEqual(yield* notedBy(failing).pipe(inside(other)), [1])
    })
  )

  it.effect("handles a parked event again on request, and parks it again after a failure", () =>
    inNew(() =>
      Effect.gen(function* () {
        const port = yield* EventCursors
        const poison = new Set([2, 4])
        const consumer = newConsumer({ after: failingOn(poison) })
        yield* append(created(), created(), created(), created())
        yield* settle(consumer)
        assert.deepStrictEqual(yield* notedBy(consumer), [1, 3])
        poison.delete(2)
        assert.strictEqual(yield* transact(port.replayParked(consumer.name, 2)), 1)
        assert.deepStrictEqual(
          (yield* parkedOf(consumer)).map(({ isReplayed, position }) => [position, isReplayed]),
          [
            [2, true],
            [4, false]
          ]
        )
        yield* settle(consumer)
        assert.deepStrictEqual(yield* notedBy(consumer), [1, 3, 2])
        assert.strictEqual(yield* transact(port.replayParked(consumer.name, null)), 1)
        yield* settle(consumer)
        const left = yield* parkedOf(consumer)
        assert.deepStrictEqual(
          left.map(({ attempts, isReplayed, position }) => [position, attempts, isReplayed]),
          [[4, 9, false]]
        )
        poison.clear()
        yield* transact(port.replayParked(consumer.name, null))
        yield* settle(consumer)
        assert.deepStrictEqual(yield* notedBy(consumer), [1, 3, 2, 4])
        assert.deepStrictEqual(yield* parkedOf(consumer), [])
        for (const refused of [port.replayParked(consumer.name, 2), port.unpark(consumer.name, 2)]) {
          assert.strictEqual((yield* Effect.flip(transact(refused)))._tag, "NotFound")
        }
        assert.strictEqual(yield* transact(port.replayParked(consumer.name, null)), 0)
      })
    )
  )

  it.effect("handles all again that came after a position, also what was parked", () =>
    inNew(() =>
      Effect.gen(function* () {
        const port = yield* EventCursors
        const poison = new Set([3])
        const consumer = newConsumer({ after: failingOn(poison) })
        yield* append(...Array.from({ length: 4 }, created))
        yield* settle(consumer)
        poison.clear()
        yield* transact(port.rewind(consumer.name, 2))
        assert.deepStrictEqual(yield* parkedOf(consumer), [])
        assert.strictEqual((yield* cursorOf(consumer)).position, 2)
        yield* settle(consumer)
        assert.deepStrictEqual(yield* notedBy(consumer), [1, 2, 4, 3, 4])
        yield* transact(port.rewind(consumer.name, 1_000))
        assert.strictEqual((yield* cursorOf(consumer)).position, 4)
        const refused = yield* Effect.flip(transact(port.rewind(newConsumer().name, 0)))
        assert.strictEqual(refused._tag, "NotFound")
      })
    )
  )
}
