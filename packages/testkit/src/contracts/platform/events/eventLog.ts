import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { EventLog } from "@parley/domain/platform"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { runContract, type StorageContract } from "../../contract.ts"
import { givenOrganization, inside, present } from "../../given.ts"
import { automationCreated, memberRemoved, appendEvent, types, list } from "./givenEvents.ts"

export const eventLog: StorageContract = {
  port: "EventLog",
  promises: (it) => {
    it.effect("reads page by page, oldest first, while events are appended", () =>
      Effect.gen(function* () {
        yield* Effect.gen(function* () {
          yield* Effect.replicateEffect(transact(appendEvent()), 5, { discard: true })
          const page = (after: number | null) =>
            Effect.map(list(types, after, 2), (page) => page.map(({ position }) => position))
          assert.deepStrictEqual(yield* page(null), [1, 2])
          assert.deepStrictEqual(yield* page(0), [1, 2])
          yield* transact(appendEvent())
          assert.deepStrictEqual(yield* page(2), [3, 4])
          assert.deepStrictEqual(yield* page(4), [5, 6])
          assert.deepStrictEqual(yield* page(6), [])
          yield* transact(appendEvent())
          assert.deepStrictEqual(yield* page(6), [7])
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("orders positions as numbers, not as texts", () =>
      Effect.gen(function* () {
        yield* Effect.gen(function* () {
          yield* transact(Effect.replicateEffect(appendEvent(), 12))
          const page = yield* list(types, 9)
          assert.deepStrictEqual(
            page.map(({ position }) => position),
            [10, 11, 12]
          )
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("reads only the requested types, and fills the page with them", () =>
      Effect.gen(function* () {
        yield* Effect.gen(function* () {
          for (const event of [
            automationCreated(),
            memberRemoved(),
            automationCreated(),
            memberRemoved(),
            memberRemoved()
          ])
            yield* transact(appendEvent(event))
          const read = (types: ReadonlyArray<string>, limit = 100) =>
            Effect.map(list(types, null, limit), (events) => events.map(({ position }) => position))
          assert.deepStrictEqual(yield* read(["member.removed"]), [2, 4, 5])
          assert.deepStrictEqual(yield* read(["member.removed"], 2), [2, 4])
          assert.deepStrictEqual(yield* read(["automation.deleted"]), [])
          assert.deepStrictEqual(yield* read([]), [])
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("a reader that follows the log misses no event while others write", () =>
      Effect.gen(function* () {
        yield* Effect.gen(function* () {
          const seen: Array<number> = []
          const follow = Effect.gen(function* () {
            while (seen.length < 40) {
              const page = yield* list(types, seen.at(-1) ?? null, 7)
              for (const { position } of page) seen.push(position)
              yield* Effect.yieldNow
            }
          })
          const write = appendEvent().pipe(Effect.tap(Effect.yieldNow), Effect.andThen(appendEvent()), transact)
          yield* Effect.all([follow, Effect.replicateEffect(write, 20, { concurrency: 5 })], {
            concurrency: "unbounded"
          })
          assert.deepStrictEqual(
            seen,
            Array.from({ length: 40 }, (_, index) => index + 1)
          )
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("returns the position of the last event, and 0 before the first one", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        yield* Effect.gen(function* () {
          const head = Effect.flatMap(EventLog, (log) => log.head())
          assert.strictEqual(yield* head, 0)
          yield* transact(Effect.andThen(appendEvent(), appendEvent(memberRemoved())))
          assert.strictEqual(yield* head, 2)
          yield* appendEvent().pipe(Effect.andThen(Effect.fail("refused")), transact, Effect.flip)
          assert.strictEqual(yield* head, 2)
        }).pipe(inside(organization))
        yield* transact(appendEvent()).pipe(inside(yield* givenOrganization()))
        const head = yield* Effect.flatMap(EventLog, (log) => log.head()).pipe(inside(organization))
        assert.strictEqual(head, 2)
      })
    )

    it.effect("stores the time of each event to the millisecond", () =>
      Effect.gen(function* () {
        yield* Effect.gen(function* () {
          const first = yield* present
          yield* transact(appendEvent())
          yield* TestClock.adjust("1 milli")
          const second = yield* DateTime.now
          yield* transact(appendEvent())
          const logged = yield* list(types)
          assert.deepStrictEqual(
            logged.map(({ at }) => DateTime.formatIso(at)),
            [first, second].map(DateTime.formatIso)
          )
        }).pipe(inside(yield* givenOrganization()))
      })
    )
  }
}

/** Checks an adapter against the contract of `EventLog`. */
export const eventLogContract = runContract(eventLog)
