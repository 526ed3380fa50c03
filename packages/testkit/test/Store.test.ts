import { assert, layer } from "@effect/vitest"
import { transact, UserId } from "@parley/domain/kernel"
import { User, Users } from "@parley/domain/platform"
import { InMemory } from "@parley/testkit"
import { DateTime, Deferred, Effect, Fiber } from "effect"
import { SecureRandom } from "effect/crypto"

const newUser = () => {
  const id = UserId.make(SecureRandom.uuidV7Unsafe())
  return new User({
    id,
    email: `${id}@people.test`,
    name: "Ada",
    avatarUrl: null,
    status: "active",
    emailVerifiedAt: null,
    createdAt: DateTime.makeUnsafe(0)
  })
}

const insert = (user: User) => Effect.flatMap(Users, (users) => users.insert(user, { hash: "hash", mustChange: false }))

const isStored = (user: User) =>
  Effect.flatMap(Users, (users) => Effect.map(users.find(user.id), (found) => found !== null))

layer(InMemory.layer)("the store in memory", (it) => {
  it.effect("accepts many concurrent writes of one unit of work", () =>
    Effect.gen(function* () {
      const users = Array.from({ length: 20 }, newUser)
      yield* transact(Effect.forEach(users, insert, { concurrency: "unbounded" }))
      assert.deepStrictEqual(new Set(yield* Effect.forEach(users, isStored)), new Set([true]))
    })
  )

  it.effect("sees in a unit of work what was committed since it began, until it writes", () =>
    Effect.gen(function* () {
      const [mine, other] = [newUser(), newUser()]
      const [begun, committed] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const unit = yield* Effect.gen(function* () {
        assert.isFalse(yield* isStored(other))
        yield* Deferred.succeed(begun, undefined)
        yield* Deferred.await(committed)
        assert.isTrue(yield* isStored(other))
        yield* insert(mine)
      }).pipe(transact, Effect.forkChild)
      yield* Deferred.await(begun)
      yield* transact(insert(other))
      yield* Deferred.succeed(committed, undefined)
      yield* Fiber.join(unit)
      assert.deepStrictEqual([yield* isStored(mine), yield* isStored(other)], [true, true])
    })
  )

  it.effect("releases the queue of an interrupted waiting unit of work", () =>
    Effect.gen(function* () {
      const [first, given, last] = [newUser(), newUser(), newUser()]
      const [written, done] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const holder = yield* insert(first).pipe(
        Effect.andThen(Deferred.succeed(written, undefined)),
        Effect.andThen(Deferred.await(done)),
        transact,
        Effect.forkChild
      )
      yield* Deferred.await(written)
      const waiting = yield* insert(given).pipe(transact, Effect.forkChild)
      yield* Effect.yieldNow
      yield* Fiber.interrupt(waiting)
      yield* Deferred.succeed(done, undefined)
      yield* Fiber.join(holder)
      yield* transact(insert(last))
      assert.deepStrictEqual(yield* Effect.forEach([first, given, last], isStored), [true, false, true])
    })
  )

  it.effect("is another one for every layer that is built", () =>
    Effect.gen(function* () {
      const user = newUser()
      yield* transact(insert(user))
      assert.isFalse(yield* isStored(user).pipe(Effect.provide(InMemory.layer, { local: true })))
    })
  )
})
