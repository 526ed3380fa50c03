import { assert } from "@effect/vitest"
import { OrganizationId, transact } from "@parley/domain/kernel"
import { LaneQueue, Lanes } from "@parley/domain/platform"
import { Deferred, Effect, Fiber } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { inNewOrganization } from "../../crm/given.ts"
import { freshId, inside, outside } from "../../given.ts"
import { at, claimOf, currentId, dawn, dueOf, freshWork, givenOwner, open, only, keys } from "./given.ts"

export const lanes: StorageContract = {
  port: "LaneQueue",
  promises: (it, overlap) => {
    it.effect("finds due lanes, earliest first, except running ones", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const task = freshWork()
          const owner = yield* givenOwner(task)
          yield* open(task, "second", at(2))
          yield* open(task, "first", at(1))
          yield* open(task, "later", at(9))
          yield* open(task, "bulk", at(0), "bulk")
          yield* open(freshWork(), "of another work", at(0))
          assert.deepStrictEqual(keys(yield* dueOf(owner, 5)), ["first", "second", "bulk"])
          const leases = yield* claimOf(owner, 5)
          assert.deepStrictEqual(keys(leases), ["first", "second", "bulk"])
          assert.deepStrictEqual(keys(yield* dueOf(owner, 9, leases)), ["later"])
          const queue = yield* LaneQueue
          const search = { task, shards: owner.owned.map(({ shard }) => shard), except: leases }
          assert.deepStrictEqual(yield* outside(queue.nextDue(search)), at(9))
          assert.deepStrictEqual(yield* outside(queue.nextDue({ ...search, except: [] })), at(0))
          assert.isNull(yield* outside(queue.nextDue({ ...search, shards: [] })))
        })
      )
    )

    it.effect("opens a lane once, brings it forward, and never postpones it", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const task = freshWork()
          const owner = yield* givenOwner(task)
          yield* open(task, "lane", at(9), "bulk")
          yield* open(task, "lane", at(20), "bulk")
          assert.deepStrictEqual(only(yield* dueOf(owner, 9)).dueAt, at(9))
          yield* open(task, "lane", at(3), "person")
          yield* open(task, "lane", at(30), "bulk")
          const lane = only(yield* dueOf(owner, 3))
          assert.deepStrictEqual([lane.dueAt, lane.priority], [at(3), "person"])
        })
      )
    )

    it.effect("schedules nothing when the unit of work fails", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const task = freshWork()
          const owner = yield* givenOwner(task)
          const opening = Effect.flatMap(Lanes, (lanes) =>
            lanes.open({ task, key: "lane", priority: "person", dueAt: dawn })
          )
          yield* Effect.exit(transact(Effect.andThen(opening, Effect.fail("no"))))
          assert.deepStrictEqual(yield* dueOf(owner, 5), [])
        })
      )
    )

    it.effect("separates organizations, and finds one lane of each of the next ones", () =>
      Effect.gen(function* () {
        const task = freshWork()
        const owner = yield* givenOwner(task)
        const organizations = Array.from({ length: 5 }, () => freshId(OrganizationId)).toSorted()
        for (const id of organizations) {
          yield* open(task, "b", at(2)).pipe(inside({ id }))
          yield* open(task, "a", at(1)).pipe(inside({ id }))
        }
        const [first, second, third, , last] = organizations
        assert.strictEqual((yield* dueOf(owner, 5)).length, 10)
        const queue = yield* LaneQueue
        const search = { task, shards: owner.owned.map(({ shard }) => shard), except: [], now: at(5), limit: 2 }
        const page = yield* queue.dueByOrganization(search, null)
        assert.deepStrictEqual(
          page.lanes.map(({ key, organizationId }) => [organizationId, key]),
          [
            [first, "a"],
            [second, "a"]
          ]
        )
        assert.strictEqual(page.last, second ?? null)
        const next = yield* queue.dueByOrganization({ ...search, now: at(0) }, page.last)
        assert.deepStrictEqual(next.lanes, [], "an organization of which nothing is due counts as visited")
        const end = yield* queue.dueByOrganization({ ...search, limit: 3 }, third ?? null)
        assert.strictEqual(end.lanes.at(-1)?.organizationId, last)
        assert.isNull(end.last)
      })
    )

    it.effect("schedules lanes of many organizations together", () =>
      Effect.gen(function* () {
        const task = freshWork()
        const owner = yield* givenOwner(task)
        const queue = yield* LaneQueue
        const ids = Array.from({ length: 3 }, () => freshId(OrganizationId))
        yield* transact(
          queue.openAll(
            ids.map((organizationId) => ({ task, organizationId, key: "lane", priority: "bulk", dueAt: dawn }) as const)
          )
        )
        assert.deepStrictEqual(
          (yield* dueOf(owner, 0)).map(({ organizationId }) => organizationId).toSorted(),
          ids.toSorted()
        )
      })
    )

    it.effect("wakes waiting workers after the commit, with the shard", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const task = freshWork()
          const owner = yield* givenOwner(task)
          const queue = yield* LaneQueue
          const woken = yield* Effect.forkChild(outside(queue.awaitNotification(task)))
          yield* Effect.yieldNow
          yield* open(task, "lane")
          const shards = yield* Fiber.join(woken)
          const { shard } = only(yield* dueOf(owner, 0))
          assert.isTrue(shards === null || shards.has(shard))
        })
      )
    )

    if (overlap === "writers") {
      it.effect("does not close a lane over concurrent inserts, which do not block each other", () =>
        inNewOrganization(
          Effect.gen(function* () {
            const task = freshWork()
            const owner = yield* givenOwner(task)
            const queue = yield* LaneQueue
            yield* open(task, "lane")
            const lease = only(yield* claimOf(owner, 0))
            const isIn = yield* Deferred.make<void>()
            const mayCommit = yield* Deferred.make<void>()
            const putting = yield* Effect.forkChild(
              transact(
                Effect.flatMap(Lanes, (lanes) =>
                  lanes.open({ task, key: "lane", priority: "person", dueAt: dawn })
                ).pipe(Effect.andThen(Deferred.succeed(isIn, undefined)), Effect.andThen(Deferred.await(mayCommit)))
              )
            )
            yield* Deferred.await(isIn)
            yield* open(task, "lane")
            yield* transact(queue.hold(lease))
            assert.isFalse(yield* transact(queue.isolate(lease)))
            yield* Deferred.succeed(mayCommit, undefined)
            yield* Fiber.join(putting)
            assert.isTrue(yield* transact(queue.isolate(lease)))
          })
        )
      )

      it.effect("creates a lane again for work that arrives while it closes", () =>
        inNewOrganization(
          Effect.gen(function* () {
            const task = freshWork()
            const owner = yield* givenOwner(task)
            const queue = yield* LaneQueue
            yield* open(task, "lane")
            const lease = only(yield* claimOf(owner, 0))
            const isClosed = yield* Deferred.make<void>()
            const mayCommit = yield* Deferred.make<void>()
            const closing = yield* Effect.forkChild(
              transact(
                queue
                  .isolate(lease)
                  .pipe(
                    Effect.andThen(queue.close(lease)),
                    Effect.andThen(Deferred.succeed(isClosed, undefined)),
                    Effect.andThen(Deferred.await(mayCommit))
                  )
              )
            )
            yield* Deferred.await(isClosed)
            const putting = yield* Effect.forkChild(open(task, "lane", at(4)))
            yield* Effect.replicateEffect(open(task, "another", at(4)), 3)
            assert.isUndefined(putting.pollUnsafe())
            yield* Deferred.succeed(mayCommit, undefined)
            yield* Fiber.join(closing)
            yield* Fiber.join(putting)
            assert.deepStrictEqual(keys(yield* dueOf(owner, 4)).toSorted(), ["another", "lane"])
          })
        )
      )
    }

    it.effect("reveals nothing of one organization to another", () =>
      Effect.gen(function* () {
        const task = freshWork()
        const owner = yield* givenOwner(task)
        const openHere = inNewOrganization(Effect.andThen(open(task, "same key"), currentId))
        const ids = [yield* openHere, yield* openHere]
        const leases = yield* claimOf(owner, 0)
        assert.deepStrictEqual(leases.map(({ organizationId }) => organizationId).toSorted(), ids.toSorted())
        const queue = yield* LaneQueue
        const [first = assert.fail(), second = assert.fail()] = leases
        yield* transact(queue.close(first))
        assert.deepStrictEqual(yield* claimOf(owner, 0), [second])
      })
    )
  }
}

/** Runs the promises of `Lanes` and `LaneQueue`. */
export const lanesContract = runContract(lanes)
