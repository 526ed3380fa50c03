import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { defineEventConsumer, EventConsumerDirectory, EventCursors } from "@parley/domain/platform"
import { DomainEvent } from "@parley/domain/composition"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import type { StorageContract } from "../../contract.ts"
import { givenOrganization, inside, outside, present } from "../../given.ts"
import {
  created,
  removed,
  append,
  notedBy,
  freshName,
  neededBy,
  newConsumer,
  follow,
  settle,
  cursorOf,
  failingOn,
  inNew
} from "./eventConsumers.ts"

/** Cursors follow the log of each organization. */
export const cursorMovesPromises: StorageContract["promises"] = (it) => {
  it.effect("handles each event that is for an event consumer once, in order, batch by batch", () =>
    inNew(() =>
      Effect.gen(function* () {
        const batches: Array<ReadonlyArray<number>> = []
        const consumer = newConsumer({
          batch: 3,
          after: (events) => Effect.sync(() => batches.push(events.map(({ position }) => position)))
        })
        yield* append(created(), removed(), created(), created(), created())
        yield* settle(consumer)
        yield* settle(consumer)
        assert.deepStrictEqual(batches, [[1, 3, 4], [5]])
        yield* append(removed(), created())
        yield* settle(consumer)
        assert.deepStrictEqual(yield* notedBy(consumer), [1, 3, 4, 5, 7])
        const { head, next, position } = yield* cursorOf(consumer)
        assert.deepStrictEqual([position, head, next], [7, 7, null])
      })
    )
  )

  it.effect("returns the next events, also for a consumer of all types", () =>
    inNew(() =>
      Effect.gen(function* () {
        const now = yield* DateTime.now
        const all = defineEventConsumer({
          name: freshName(),
          schema: DomainEvent,
          events: "all",
          beginsWith: "first_event",
          batch: 10,
          handle: () => Effect.void
        })
        const some = newConsumer()
        const list = Effect.flatMap(EventCursors, (port) => port.list([all, some]))
        const unknown = yield* list
        assert.deepStrictEqual(
          unknown.map(({ head, next, position }) => [position, head, next]),
          [
            [null, 0, null],
            [null, 0, null]
          ]
        )
        yield* settle(all)
        yield* settle(some)
        yield* append(removed(), created())
        const found = yield* list
        assert.deepStrictEqual(
          found.map(({ next, position, consumer }) => [consumer, position, next?.position, next?.type]),
          [
            [all.name, 0, 1, "member.removed"],
            [some.name, 0, 2, "automation.created"]
          ]
        )
        assert.deepStrictEqual(
          found.map(({ next }) => next?.at && DateTime.toEpochMillis(next.at)),
          [DateTime.toEpochMillis(now), DateTime.toEpochMillis(now)]
        )
        yield* settle(all)
        assert.strictEqual((yield* cursorOf(all)).position, 2)
      })
    )
  )

  it.effect("moves a cursor past what is not for the event consumer only now and then", () =>
    inNew(() =>
      Effect.gen(function* () {
        const consumer = newConsumer()
        yield* settle(consumer)
        yield* append(...Array.from({ length: 499 }, removed))
        yield* settle(consumer)
        assert.strictEqual((yield* cursorOf(consumer)).position, 0)
        yield* append(removed())
        yield* settle(consumer)
        assert.strictEqual((yield* cursorOf(consumer)).position, 500)
      })
    )
  )

  it.effect("moves the cursors of several past foreign events together, if unchanged since the read", () =>
    inNew(() =>
      Effect.gen(function* () {
        const [idle, moved, failing] = [newConsumer(), newConsumer(), newConsumer({ before: failingOn(new Set([1])) })]
        const { consumer: resting } = neededBy(() => false)
        const all = [idle, moved, failing, resting]
        const other = yield* outside(givenOrganization())
        for (const each of all) yield* settle(each)
        yield* inside(other)(settle(idle))
        yield* append(created(), removed())
        for (const each of all) yield* follow(each)
        yield* append(removed())
        const passed = yield* Effect.flatMap(EventCursors, (port) =>
          transact(
            port.passBy([
              { consumer: idle.name, position: 2, head: 3 },
              { consumer: moved.name, position: 1, head: 3 },
              { consumer: failing.name, position: 0, head: 3 },
              { consumer: resting.name, position: 2, head: 3 }
            ])
          )
        )
        assert.deepStrictEqual([...passed], [idle.name])
        const positions = Effect.forEach(all, (each) =>
          Effect.map(cursorOf(each), ({ attempts, position }) => [position, attempts])
        )
        assert.deepStrictEqual(yield* positions, [
          [3, 0],
          [2, 0],
          [0, 1],
          [2, 0]
        ])
        assert.strictEqual((yield* inside(other)(cursorOf(idle))).position, 0)
        assert.strictEqual((yield* Effect.flatMap(EventCursors, (port) => transact(port.passBy([])))).size, 0)
        yield* append(created())
        yield* settle(idle)
        assert.deepStrictEqual(yield* notedBy(idle), [1, 4])
      })
    )
  )

  it.effect("stops polling of an unneeded consumer until needed, except every 500 events", () =>
    inNew(() =>
      Effect.gen(function* () {
        let isNeeded = false
        const { asked, consumer } = neededBy(() => isNeeded)
        const wake = Effect.flatMap(EventCursors, (port) => transact(port.wake(consumer.name)))
        yield* settle(consumer)
        yield* append(created(), removed())
        yield* settle(consumer)
        assert.deepStrictEqual(asked, [[1, 2]])
        yield* append(...Array.from({ length: 499 }, removed))
        yield* settle(consumer)
        assert.lengthOf(asked, 1)
        const resting = yield* cursorOf(consumer)
        assert.deepStrictEqual([resting.position, resting.next], [2, null])
        yield* append(removed())
        yield* settle(consumer)
        assert.deepStrictEqual(asked.at(-1)?.[0], 3)
        assert.lengthOf(asked, 2)
        assert.strictEqual((yield* cursorOf(consumer)).position, 502)
        isNeeded = true
        yield* wake
        yield* append(created())
        yield* settle(consumer)
        yield* append(created())
        yield* settle(consumer)
        assert.deepStrictEqual(asked.slice(2), [[503], [504]])
        yield* Effect.flatMap(EventCursors, (port) => transact(port.rewind(consumer.name, 503)))
        yield* settle(consumer)
        assert.deepStrictEqual(asked.at(-1), [504])
      })
    )
  )

  it.effect("wakes a consumer without a start by the next event, and none of another organization", () =>
    inNew(() =>
      Effect.gen(function* () {
        const { asked, consumer } = neededBy(() => false)
        const wake = Effect.flatMap(EventCursors, (port) => transact(port.wake(consumer.name)))
        yield* append(created())
        yield* wake
        yield* append(created())
        yield* settle(consumer)
        assert.deepStrictEqual(asked, [[2]])
        const other = yield* outside(givenOrganization())
        yield* inside(other)(wake)
        yield* append(created())
        yield* settle(consumer)
        assert.lengthOf(asked, 1)
      })
    )
  )

  it.effect("starts with the next event for a known consumer that requests no history", () =>
    Effect.gen(function* () {
      yield* present
      const consumer = newConsumer({ beginsWith: "next_event" })
      const [old, young] = [yield* givenOrganization(), yield* givenOrganization()]
      yield* append(created(), created()).pipe(inside(old))
      yield* TestClock.adjust("1 second")
      const directory = yield* EventConsumerDirectory
      const now = yield* DateTime.now
      yield* outside(directory.add([consumer.name], now))
      yield* TestClock.adjust("1 second")
      yield* append(created()).pipe(inside(old))
      yield* append(created()).pipe(inside(young))
      yield* settle(consumer).pipe(inside(old))
      yield* settle(consumer).pipe(inside(young))
      assert.deepStrictEqual(yield* notedBy(consumer).pipe(inside(old)), [3])
      assert.deepStrictEqual(yield* notedBy(consumer).pipe(inside(young)), [1])
      const again = yield* outside(directory.add([consumer.name], yield* DateTime.now))
      assert.deepStrictEqual(
        again.map(({ name, since }) => [name, DateTime.toEpochMillis(since)]),
        [[consumer.name, DateTime.toEpochMillis(now)]]
      )
    })
  )

  it.effect("keeps the cursors of tenants and of event consumers apart", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
      const [first, second] = [newConsumer(), newConsumer()]
      for (const organization of [one, other]) yield* append(created(), created()).pipe(inside(organization))
      yield* settle(first).pipe(inside(one))
      assert.deepStrictEqual(yield* notedBy(first).pipe(inside(one)), [1, 2])
      assert.deepStrictEqual(yield* notedBy(first).pipe(inside(other)), [])
      assert.deepStrictEqual(yield* notedBy(second).pipe(inside(one)), [])
      assert.strictEqual((yield* cursorOf(first).pipe(inside(other))).position, null)
    })
  )
}
