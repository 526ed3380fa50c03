import { assert } from "@effect/vitest"
import { transact, UserId } from "@parley/domain/kernel"
import { type User, Users } from "@parley/domain/platform"
import { Effect, Latch } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { after, freshId, givenUser, newUser, plain, present } from "../../given.ts"

const insert = (user: User, hash = "hash") =>
  Effect.flatMap(Users, (users) => transact(users.insert(user, { hash, mustChange: false })))

export const users: StorageContract = {
  port: "Users",
  promises: (it) => {
    it.effect("finds a user as it was inserted, with the hash of the password", () =>
      Effect.gen(function* () {
        const users = yield* Users
        const hash = "$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA"
        const user = newUser({
          name: "Zoë “'; DROP TABLE users; --\\ % _ 🧑‍🚀",
          avatarUrl: "https://images.example/ada.png?size=1&x=%20",
          status: "disabled"
        })
        yield* insert(user, hash)
        const found = yield* users.find(user.id)
        const [byEmail, byId] = [yield* users.credentialsByEmail(user.email), yield* users.credentialsById(user.id)]
        for (const seen of [found, byEmail?.user, byId?.user]) {
          assert.deepStrictEqual(seen && plain.user(seen), plain.user(user))
        }
        assert.deepStrictEqual([byEmail?.passwordHash, byId?.passwordHash], [hash, hash])
      })
    )

    it.effect("finds no unknown user", () =>
      Effect.gen(function* () {
        const users = yield* Users
        const stranger = newUser()
        assert.isNull(yield* users.find(stranger.id))
        assert.isNull(yield* users.credentialsById(stranger.id))
        assert.isNull(yield* users.credentialsByEmail(stranger.email))
      })
    )

    it.effect("refuses an e-mail address twice, and keeps the first user", () =>
      Effect.gen(function* () {
        const users = yield* Users
        const first = yield* givenUser()
        const second = newUser({ email: first.email })
        const error = yield* Effect.flip(insert(second))
        assert.deepStrictEqual([error._tag, error.email], ["EmailTaken", first.email])
        assert.isNull(yield* users.find(second.id))
        assert.strictEqual((yield* users.credentialsByEmail(first.email))?.user.id, first.id)
      })
    )

    it.effect("of many concurrent inserts with one email address one succeeds", () =>
      Effect.gen(function* () {
        const { email } = newUser()
        const exits = yield* Effect.replicateEffect(
          Effect.suspend(() => Effect.exit(insert(newUser({ email })))),
          10,
          { concurrency: "unbounded" }
        )
        assert.strictEqual(exits.filter(({ _tag }) => _tag === "Success").length, 1)
      })
    )

    it.effect("a failed unit of work leaves nothing", () =>
      Effect.gen(function* () {
        const users = yield* Users
        const [known, stranger] = [yield* givenUser(), newUser()]
        yield* insert(stranger).pipe(
          Effect.andThen(users.rename(known.id, "Renamed")),
          Effect.andThen(users.setStatus(known.id, "disabled")),
          Effect.andThen(users.setPasswordHash(known.id, "changed")),
          Effect.andThen(Effect.fail("refused")),
          transact,
          Effect.flip
        )
        assert.isNull(yield* users.find(stranger.id))
        const after = yield* users.credentialsById(known.id)
        assert.deepStrictEqual(after && plain.user(after.user), plain.user(known))
        assert.strictEqual(after?.passwordHash, `hash of ${known.id}`)
      })
    )

    it.effect("changes the name, the status and the hash, each alone", () =>
      Effect.gen(function* () {
        const users = yield* Users
        const user = yield* givenUser()
        yield* transact(users.rename(user.id, "Grace"))
        yield* transact(users.setStatus(user.id, "disabled"))
        yield* transact(users.setPasswordHash(user.id, "changed"))
        const after = yield* users.credentialsById(user.id)
        assert.deepStrictEqual(after && plain.user(after.user), {
          ...plain.user(user),
          name: "Grace",
          status: "disabled"
        })
        assert.strictEqual(after?.passwordHash, "changed")
      })
    )

    it.effect("stores that a user must change the password, until the change", () =>
      Effect.gen(function* () {
        const users = yield* Users
        const [one, other] = [newUser(), yield* givenUser()]
        const mustChange = (id: UserId) =>
          Effect.map(users.credentialsById(id), (credentials) => credentials?.mustChangePassword ?? null)
        yield* transact(users.insert(one, { hash: "temporary", mustChange: true }))
        assert.isTrue(yield* mustChange(one.id))
        assert.isTrue((yield* transact(users.lockCredentials(one.id)))?.mustChangePassword)
        yield* transact(users.setPasswordHash(one.id, "the same password"))
        assert.isTrue(yield* mustChange(one.id))
        yield* transact(users.setPassword(one.id, { hash: "new", mustChange: false }))
        assert.isFalse(yield* mustChange(one.id))
        assert.strictEqual((yield* users.credentialsById(one.id))?.passwordHash, "new")
        yield* transact(users.requirePasswordChange(one.id))
        assert.isTrue(yield* mustChange(one.id))
        assert.isFalse(yield* mustChange(other.id))
      })
    )

    it.effect("notes once since when a mailbox is the person's", () =>
      Effect.gen(function* () {
        const users = yield* Users
        const now = yield* present
        const user = yield* givenUser({ emailVerifiedAt: null })
        assert.isNull((yield* users.find(user.id))?.emailVerifiedAt)
        yield* transact(users.verifyEmail(user.id, now))
        yield* transact(users.verifyEmail(user.id, after(now, "1 day")))
        const verified = yield* users.find(user.id)
        assert.deepStrictEqual(verified?.emailVerifiedAt, now)
      })
    )

    it.effect("locks current credentials, and none of unknown users", () =>
      Effect.gen(function* () {
        const users = yield* Users
        const user = yield* givenUser()
        const taken = yield* transact(users.lockCredentials(user.id))
        assert.deepStrictEqual(taken && plain.user(taken.user), plain.user(user))
        assert.strictEqual(taken?.passwordHash, `hash of ${user.id}`)
        assert.isNull(yield* transact(users.lockCredentials(freshId(UserId))))
      })
    )

    it.effect("holds credentials that were taken until the unit of work ends", () =>
      Effect.gen(function* () {
        const users = yield* Users
        const user = yield* givenUser()
        const trace: Array<string> = []
        const [taken, over] = [Latch.makeUnsafe(), Latch.makeUnsafe()]
        const login = Effect.gen(function* () {
          yield* users.lockCredentials(user.id)
          yield* taken.open
          yield* over.await
          trace.push((yield* users.credentialsById(user.id))?.passwordHash ?? "")
        }).pipe(transact)
        const reset = Effect.gen(function* () {
          yield* taken.await
          yield* Effect.forkChild(over.open, { startImmediately: false })
          yield* transact(users.setPasswordHash(user.id, "renewed"))
          trace.push("renewed")
        })
        yield* Effect.all([login, reset], { concurrency: "unbounded" })
        assert.deepStrictEqual(trace, [`hash of ${user.id}`, "renewed"])
      })
    )

    it.effect("changes no unknown user", () =>
      Effect.gen(function* () {
        const users = yield* Users
        const stranger = freshId(UserId)
        yield* transact(users.rename(stranger, "Nobody"))
        yield* transact(users.setStatus(stranger, "disabled"))
        yield* transact(users.setPasswordHash(stranger, "changed"))
        yield* transact(users.verifyEmail(stranger, yield* present))
        assert.isNull(yield* users.find(stranger))
      })
    )

    it.effect("lists the newest last, page after page, while others come", () =>
      Effect.gen(function* () {
        const users = yield* Users
        const first = yield* givenUser()
        const rest = yield* Effect.replicateEffect(givenUser(), 3)
        const one = yield* users.list({ limit: 2, after: first.id })
        const later = yield* givenUser()
        const two = yield* users.list({ limit: 2, after: one[1]?.id ?? null })
        const three = yield* users.list({ limit: 2, after: two[1]?.id ?? null })
        assert.deepStrictEqual(
          [...one, ...two, ...three].map(({ id }) => id),
          [...rest, later].map(({ id }) => id)
        )
        assert.lengthOf(yield* users.list({ limit: 1, after: null }), 1)
      })
    )
  }
}

export const usersContract = runContract(users)
