import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { type LaneLease, LaneQueue, Lanes } from "@parley/domain/platform"
import { Deferred, Effect, Fiber } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { inNewOrganization } from "../../crm/given.ts"
import { outside } from "../../given.ts"
import { at, claimOf, dawn, dueOf, freshWork, givenOwner, open, takeOver, only, keys } from "./given.ts"

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

export const laneLeases: StorageContract = {
  port: "LaneQueue (leases)",
  promises: (it, overlap) => {
    it.effect("accepts a unit of work of the owner, and reports when the lane is due again or closed", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const task = freshWork()
          const owner = yield* givenOwner(task)
          const queue = yield* LaneQueue
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
          yield* transact((yield* LaneQueue).hold(held))
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
          const queue = yield* LaneQueue
          const writing = Effect.flatMap(Lanes, (lanes) =>
            lanes.open({ task, key: "written", priority: "person", dueAt: dawn })
          )
          assert.strictEqual(yield* tagOf(transact(Effect.andThen(writing, queue.hold(lost)))), "LeaseLost")
          assert.deepStrictEqual(keys(yield* dueOf(owner, 5)), ["lane"])
        })
      )
    )

    if (overlap === "writers") {
      it.effect(
        "lets the claim of the next owner skip a lane in an open unit of work, and return it after the commit",
        () =>
          inNewOrganization(
            Effect.gen(function* () {
              const task = freshWork()
              const former = yield* givenOwner(task)
              const queue = yield* LaneQueue
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
            const queue = yield* LaneQueue
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
  }
}

/** Checks an adapter against the contract of leases of lanes. */
export const laneLeasesContract = runContract(laneLeases)
