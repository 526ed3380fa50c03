import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { EmailTaken, Organization, Organizations, Users } from "@parley/domain/platform"
import { Cause, Deferred, Effect, Exit, Fiber } from "effect"
import { runContract, type StorageContract } from "../contract.ts"
import { freshText, givenOrganization, givenUser, inside, newUser } from "../given.ts"

const insert = (user = newUser()) =>
  Effect.flatMap(Users, (users) => Effect.as(users.insert(user, { hash: "hash", mustChange: false }), user))

const isStored = (user: ReturnType<typeof newUser>) =>
  Effect.flatMap(Users, (users) => Effect.map(users.find(user.id), (found) => found !== null))

const lookalikes = [{ _tag: "SqlError" }, { _tag: "Rejected", error: "mine" }, new Error("mine"), "mine", null]

export const unitOfWork: StorageContract = {
  port: "UnitOfWork",
  promises: (it) => {
    it.effect("keeps what a unit of work wrote, and gives its answer", () =>
      Effect.gen(function* () {
        const user = yield* transact(insert())
        assert.isTrue(yield* isStored(user))
      })
    )

    it.effect("a failed unit of work leaves nothing", () =>
      Effect.gen(function* () {
        const user = newUser()
        const error = yield* insert(user).pipe(Effect.andThen(Effect.fail("refused")), transact, Effect.flip)
        assert.strictEqual(error, "refused")
        assert.isFalse(yield* isStored(user))
      })
    )

    it.effect("a unit of work that dies leaves nothing, and dies of the same", () =>
      Effect.gen(function* () {
        const user = newUser()
        const defect = { reason: freshText("defect") }
        const exit = yield* insert(user).pipe(Effect.andThen(Effect.die(defect)), transact, Effect.exit)
        assert.isTrue(Exit.isFailure(exit) && Cause.squash(exit.cause) === defect)
        assert.isFalse(yield* isStored(user))
      })
    )

    it.effect("an interrupted unit of work leaves nothing", () =>
      Effect.gen(function* () {
        const user = newUser()
        const written = yield* Deferred.make<void>()
        const fiber = yield* insert(user).pipe(
          Effect.andThen(Deferred.succeed(written, undefined)),
          Effect.andThen(Effect.never),
          transact,
          Effect.forkChild
        )
        yield* Deferred.await(written)
        yield* Fiber.interrupt(fiber)
        assert.isFalse(yield* isStored(user))
        assert.isTrue(yield* isStored(yield* transact(insert())))
      })
    )

    it.effect("sees its own writes while it runs", () =>
      Effect.gen(function* () {
        const seen = yield* transact(Effect.flatMap(insert(), isStored))
        assert.isTrue(seen)
      })
    )

    it.effect("passes every error through unchanged", () =>
      Effect.gen(function* () {
        for (const error of lookalikes) {
          assert.strictEqual(yield* Effect.fail(error).pipe(transact, Effect.flip), error)
          assert.strictEqual(yield* Effect.fail(error).pipe(transact, transact, Effect.flip), error)
        }
      })
    )

    it.effect("a nested unit of work that fails takes back its own writes only", () =>
      Effect.gen(function* () {
        const [before, inner, later] = [newUser(), newUser(), newUser()]
        yield* transact(
          Effect.gen(function* () {
            yield* insert(before)
            const error = yield* insert(inner).pipe(Effect.andThen(Effect.fail("inner")), transact, Effect.flip)
            assert.strictEqual(error, "inner")
            assert.isTrue(yield* isStored(before))
            assert.isFalse(yield* isStored(inner))
            yield* insert(later)
          })
        )
        assert.deepStrictEqual(yield* Effect.forEach([before, inner, later], isStored), [true, false, true])
      })
    )

    it.effect("a nested unit of work that comes first and fails leaves the outer one whole", () =>
      Effect.gen(function* () {
        const [inner, later] = [newUser(), newUser()]
        yield* insert(inner).pipe(
          Effect.andThen(Effect.fail("inner")),
          transact,
          Effect.ignore,
          Effect.andThen(insert(later)),
          transact
        )
        assert.deepStrictEqual(yield* Effect.forEach([inner, later], isStored), [false, true])
      })
    )

    it.effect("a nested unit of work is rolled back with a failing outer one", () =>
      Effect.gen(function* () {
        const inner = newUser()
        yield* transact(insert(inner)).pipe(Effect.andThen(Effect.fail("outer")), transact, Effect.flip)
        assert.isFalse(yield* isStored(inner))
      })
    )

    it.effect("nests more than once", () =>
      Effect.gen(function* () {
        const [first, second, third] = [newUser(), newUser(), newUser()]
        const innermost = insert(third).pipe(Effect.andThen(Effect.fail("innermost")), transact, Effect.ignore)
        const middle = insert(second).pipe(Effect.andThen(innermost), transact)
        yield* insert(first).pipe(Effect.andThen(middle), transact)
        assert.deepStrictEqual(yield* Effect.forEach([first, second, third], isStored), [true, true, false])
      })
    )

    it.effect("a nested unit of work that is interrupted takes back its own writes only", () =>
      Effect.gen(function* () {
        const [outer, inner] = [newUser(), newUser()]
        const interrupted = insert(inner).pipe(Effect.andThen(Effect.interrupt), transact, Effect.exit)
        yield* insert(outer).pipe(Effect.andThen(interrupted), transact)
        assert.deepStrictEqual(yield* Effect.forEach([outer, inner], isStored), [true, false])
      })
    )

    it.effect("a refusal of a port leaves the unit of work fit to go on", () =>
      Effect.gen(function* () {
        const known = yield* givenUser()
        const later = newUser()
        yield* transact(
          Effect.gen(function* () {
            const refusal = yield* Effect.flip(insert(newUser({ email: known.email })))
            assert.instanceOf(refusal, EmailTaken)
            yield* insert(later)
          })
        )
        assert.isTrue(yield* isStored(later))
      })
    )

    it.effect("of many concurrent ones, successful ones are kept and failed ones are not", () =>
      Effect.gen(function* () {
        const users = Array.from({ length: 12 }, () => newUser())
        yield* Effect.forEach(
          users,
          (user, index) =>
            insert(user).pipe(
              Effect.tap(Effect.yieldNow),
              Effect.andThen(index % 3 === 0 ? Effect.fail("refused") : Effect.void),
              transact,
              Effect.ignore
            ),
          { concurrency: "unbounded" }
        )
        const kept = yield* Effect.forEach(users, isStored)
        assert.deepStrictEqual(
          kept,
          users.map((_, index) => index % 3 !== 0)
        )
      })
    )

    it.effect("forgets what a unit of work that failed had changed and read again", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization({ plan: "free" })
        const organizations = yield* Organizations
        yield* Effect.gen(function* () {
          const before = yield* organizations.current()
          yield* organizations.save(new Organization({ ...before, plan: "scale" }), null)
          assert.strictEqual((yield* organizations.current()).plan, "scale")
          return yield* Effect.fail("refused")
        }).pipe(transact, Effect.flip, inside(organization))
        assert.strictEqual((yield* organizations.current().pipe(inside(organization))).plan, "free")
      })
    )

    it.effect("hides its writes from others before its end", () =>
      Effect.gen(function* () {
        const user = newUser()
        const written = yield* Deferred.make<void>()
        const looked = yield* Deferred.make<void>()
        const fiber = yield* insert(user).pipe(
          Effect.andThen(Deferred.succeed(written, undefined)),
          Effect.andThen(Deferred.await(looked)),
          transact,
          Effect.forkChild
        )
        yield* Deferred.await(written)
        assert.isFalse(yield* isStored(user))
        assert.isFalse(yield* transact(isStored(user)))
        yield* Deferred.succeed(looked, undefined)
        yield* Fiber.join(fiber)
        assert.isTrue(yield* isStored(user))
      })
    )
  }
}

export const unitOfWorkContract = runContract(unitOfWork)
