import { assert } from "@effect/vitest"
import { OrganizationId, transact } from "@parley/domain/kernel"
import { type LaneLease, LaneQueue, Lanes } from "@parley/domain/platform"
import { Deferred, Effect, Fiber } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { inNewOrganization } from "../../crm/given.ts"
import { freshId, inside, outside } from "../../given.ts"
import { at, claimOf, currentId, dawn, dueOf, freshWork, givenOwner, open, takeOver } from "./given.ts"

const only = <A>(rows: ReadonlyArray<A>): A => {
  assert.strictEqual(rows.length, 1)
  return rows[0] ?? assert.fail()
}

const keys = (rows: ReadonlyArray<{ readonly key: string }>) => rows.map(({ key }) => key)

const tagOf = <A, R>(effect: Effect.Effect<A, { readonly _tag: string }, R>) =>
  Effect.match(effect, { onFailure: ({ _tag }) => _tag, onSuccess: () => "ok" })

/** All that can be done under a lease. */
const everyWrite = (lease: LaneLease) =>
  Effect.map(LaneQueue, (queue) => [
    queue.hold(lease),
    queue.isolate(lease),
    queue.postpone(lease, at(1)),
    queue.close(lease)
  ])

const laneQueue = LaneQueue

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
          const queue = yield* laneQueue
          const search = { task, shards: owner.owned.map(({ shard }) => shard), except: leases }
          assert.deepStrictEqual(yield* outside(queue.nextDue(search)), at(9))
          assert.deepStrictEqual(yield* outside(queue.nextDue({ ...search, except: [] })), at(0))
          assert.isNull(yield* outside(queue.nextDue({ ...search, shards: [] })))
        })
      )
    )

    it.effect("opens a lane once, brings it forward, and never puts it off", () =>
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
        const queue = yield* laneQueue
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

    it.effect("lets a unit of work of the owner through, and tells when the lane is due again or closed", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const task = freshWork()
          const owner = yield* givenOwner(task)
          const queue = yield* laneQueue
          yield* open(task, "lane")
          const lease = only(yield* claimOf(owner, 0))
          yield* transact(queue.hold(lease))
          assert.isTrue(yield* transact(queue.isolate(lease)))
          yield* transact(queue.postpone(lease, at(7)))
          assert.deepStrictEqual(yield* claimOf(owner, 6), [])
          assert.deepStrictEqual(yield* claimOf(owner, 7), [lease])
          yield* transact(queue.close(lease))
          assert.deepStrictEqual(yield* claimOf(owner, 99), [])
          for (const write of yield* everyWrite(lease)) assert.strictEqual(yield* tagOf(transact(write)), "LeaseLost")
          yield* open(task, "lane", at(8))
          assert.strictEqual((yield* claimOf(owner, 8)).length, 1)
        })
      )
    )

    it.effect("refuses writes under a lease with a new owner", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const task = freshWork()
          const stale = yield* givenOwner(task)
          yield* open(task, "lane")
          const lost = only(yield* claimOf(stale, 0))
          const owner = yield* takeOver(task, stale.id)
          for (const write of yield* everyWrite(lost)) assert.strictEqual(yield* tagOf(transact(write)), "LeaseLost")
          assert.deepStrictEqual(yield* claimOf(stale, 0), [], "nor claim anything")
          const held = only(yield* claimOf(owner, 0))
          assert.isAbove(held.fence, lost.fence)
          for (const write of yield* everyWrite(lost)) assert.strictEqual(yield* tagOf(transact(write)), "LeaseLost")
          yield* transact((yield* laneQueue).hold(held))
        })
      )
    )

    it.effect("rolls back a unit of work whose lease was lost", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const task = freshWork()
          const stale = yield* givenOwner(task)
          yield* open(task, "lane")
          const lost = only(yield* claimOf(stale, 0))
          const owner = yield* takeOver(task, stale.id)
          yield* claimOf(owner, 0)
          const queue = yield* laneQueue
          const writing = Effect.flatMap(Lanes, (lanes) =>
            lanes.open({ task, key: "written", priority: "person", dueAt: dawn })
          )
          assert.strictEqual(yield* tagOf(transact(Effect.andThen(writing, queue.hold(lost)))), "LeaseLost")
          assert.deepStrictEqual(keys(yield* dueOf(owner, 5)), ["lane"])
        })
      )
    )

    it.effect("schedules lanes of many organizations together", () =>
      Effect.gen(function* () {
        const task = freshWork()
        const owner = yield* givenOwner(task)
        const queue = yield* laneQueue
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
          const queue = yield* laneQueue
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
            const queue = yield* laneQueue
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
            const queue = yield* laneQueue
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

      it.effect(
        "has the next owner's claim pass over what the former one is about to commit, and wait for its end",
        () =>
          inNewOrganization(
            Effect.gen(function* () {
              const task = freshWork()
              const former = yield* givenOwner(task)
              const queue = yield* laneQueue
              yield* open(task, "lane")
              yield* open(task, "other")
              const leases = yield* claimOf(former, 0)
              const lease = leases.find(({ key }) => key === "lane") ?? assert.fail()
              const holds = yield* Deferred.make<void>()
              const mayCommit = yield* Deferred.make<void>()
              const working = yield* Effect.forkChild(
                transact(
                  queue
                    .hold(lease)
                    .pipe(Effect.andThen(Deferred.succeed(holds, undefined)), Effect.andThen(Deferred.await(mayCommit)))
                )
              )
              yield* Deferred.await(holds)
              const owner = yield* takeOver(task, former.id)
              assert.deepStrictEqual(keys(yield* claimOf(owner, 0)), ["other"])
              yield* Deferred.succeed(mayCommit, undefined)
              yield* Fiber.join(working)
              assert.deepStrictEqual(keys(yield* claimOf(owner, 0)).toSorted(), ["lane", "other"])
              assert.strictEqual(yield* tagOf(transact(queue.hold(lease))), "LeaseLost")
            })
          )
      )

      it.effect("refuses a unit of work that had to wait for the next owner's claim of the lane", () =>
        inNewOrganization(
          Effect.gen(function* () {
            const task = freshWork()
            const former = yield* givenOwner(task)
            const queue = yield* laneQueue
            yield* open(task, "lane")
            const lost = only(yield* claimOf(former, 0))
            const owner = yield* takeOver(task, former.id)
            const hasClaimed = yield* Deferred.make<void>()
            const mayCommit = yield* Deferred.make<void>()
            const claiming = yield* Effect.forkChild(
              outside(
                transact(
                  queue
                    .claim(owner.id, [{ ...lost, fence: owner.owned[0]?.fence ?? 0 }], at(0))
                    .pipe(Effect.tap(Deferred.succeed(hasClaimed, undefined)), Effect.tap(Deferred.await(mayCommit)))
                )
              )
            )
            yield* Deferred.await(hasClaimed)
            const late = yield* Effect.forkChild(tagOf(transact(queue.hold(lost))))
            yield* Deferred.succeed(mayCommit, undefined)
            assert.strictEqual((yield* Fiber.join(claiming)).length, 1)
            assert.strictEqual(yield* Fiber.join(late), "LeaseLost")
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
        const queue = yield* laneQueue
        const [first = assert.fail(), second = assert.fail()] = leases
        yield* transact(queue.close(first))
        assert.deepStrictEqual(yield* claimOf(owner, 0), [second])
      })
    )
  }
}

/** Runs the promises of `Lanes` and `LaneQueue`. */
export const lanesContract = runContract(lanes)
