import { assert } from "@effect/vitest"
import { Locks, transact } from "@parley/domain/kernel"
import { Members } from "@parley/domain/platform"
import { Deferred, Effect, Fiber } from "effect"
import { runContract, type StorageContract } from "../contract.ts"
import { givenOrganization, inside, newInvited } from "../given.ts"

const invite = Effect.gen(function* () {
  const invited = newInvited()
  yield* (yield* Members).insert(invited, null)
}).pipe(Effect.orDie)

const inviteUnlessFull = Effect.gen(function* () {
  yield* (yield* Locks).exclusive("members")
  const count = yield* (yield* Members).count()
  yield* Effect.yieldNow
  if (count < 3) yield* invite
}).pipe(transact)

export const locks: StorageContract = {
  port: "Locks",
  promises: (it, overlap) => {
    it.effect("lets one unit of work at a time count before it writes", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        yield* Effect.replicateEffect(inviteUnlessFull, 10, { concurrency: "unbounded", discard: true }).pipe(
          inside(organization)
        )
        const count = yield* (yield* Members).count().pipe(inside(organization))
        assert.strictEqual(count, 3)
      })
    )

    it.effect("can be taken again by the unit of work that holds it, also in a nested one", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const locks = yield* Locks
        yield* locks
          .exclusive("members")
          .pipe(
            Effect.andThen(locks.exclusive("members")),
            Effect.andThen(transact(locks.exclusive("automations"))),
            transact,
            inside(organization)
          )
      })
    )

    it.effect("is free again after a unit of work that failed", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const locks = yield* Locks
        const take = locks.exclusive("members")
        yield* take.pipe(Effect.andThen(Effect.fail("refused")), transact, Effect.flip, inside(organization))
        yield* take.pipe(transact, inside(organization))
      })
    )

    it.effect("can be shared by its exclusive holder", () =>
      Effect.gen(function* () {
        const locks = yield* Locks
        yield* locks
          .exclusive("members")
          .pipe(
            Effect.andThen(locks.shared("members")),
            Effect.andThen(transact(locks.shared("automations"))),
            transact,
            inside(yield* givenOrganization())
          )
      })
    )

    if (overlap === "writers") {
      it.effect("admits several shared holders and blocks an exclusive one until they end", () =>
        Effect.gen(function* () {
          const organization = yield* givenOrganization()
          const locks = yield* Locks
          const held = yield* Deferred.make<void>()
          const done = yield* Deferred.make<void>()
          const order: Array<string> = []
          const holder = yield* locks
            .shared("members")
            .pipe(
              Effect.andThen(Deferred.succeed(held, undefined)),
              Effect.andThen(Deferred.await(done)),
              Effect.andThen(Effect.sync(() => order.push("shared"))),
              transact,
              inside(organization),
              Effect.forkChild
            )
          yield* Deferred.await(held)
          yield* locks.shared("members").pipe(transact, inside(organization))
          const alone = yield* locks
            .exclusive("members")
            .pipe(
              Effect.andThen(Effect.sync(() => order.push("alone"))),
              transact,
              inside(organization),
              Effect.forkChild({ startImmediately: true })
            )
          yield* Deferred.succeed(done, undefined)
          yield* Fiber.join(holder)
          yield* Fiber.join(alone)
          assert.deepStrictEqual(order, ["shared", "alone"])
        })
      )

      it.effect("holds up neither other organizations nor other names", () =>
        Effect.gen(function* () {
          const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
          const locks = yield* Locks
          const held = yield* Deferred.make<void>()
          const done = yield* Deferred.make<void>()
          const holder = yield* locks
            .exclusive("members")
            .pipe(
              Effect.andThen(Deferred.succeed(held, undefined)),
              Effect.andThen(Deferred.await(done)),
              transact,
              inside(one),
              Effect.forkChild
            )
          yield* Deferred.await(held)
          yield* locks.exclusive("members").pipe(transact, inside(other))
          yield* locks.exclusive("automations").pipe(transact, inside(one))
          yield* Deferred.succeed(done, undefined)
          yield* Fiber.join(holder)
        })
      )
    }
  }
}

export const locksContract = runContract(locks)
