import { assert, layer } from "@effect/vitest"
import {
  admit,
  login,
  type LoginAttempt,
  LoginBusy,
  OrganizationId,
  PasswordHasher,
  setOrganizationStatus,
  setUserStatus,
  TokenSigner,
  Users
} from "@parley/domain"
import {
  asOperator,
  asOperatorOf,
  givenInvitation,
  givenMember,
  givenMembership,
  givenOrganization,
  givenUser,
  type Person,
  TestKit
} from "@parley/testkit"
import { DateTime, Duration, Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { tagOf } from "../tagOf.ts"

const wrong = Redacted.make("wrong password")

const attemptBy = ({ password, user }: Person, overrides: Partial<LoginAttempt> = {}) =>
  login({ email: user.email, password, organizationId: null, address: `of ${user.id}`, ...overrides })

layer(TestKit.layer)("login", (it) => {
  it.effect("gives tokens, the user, and the organizations by name with the role in each", () =>
    Effect.gen(function* () {
      const person = yield* givenUser()
      const [beta, alpha] = [yield* givenOrganization({ name: "Beta" }), yield* givenOrganization({ name: "Alpha" })]
      yield* givenMembership(beta, "owner", person)
      yield* givenMembership(alpha, "viewer", person)
      const now = yield* DateTime.now
      const answer = yield* attemptBy(person)
      assert.strictEqual(answer.user.id, person.user.id)
      assert.deepStrictEqual(
        answer.affiliations.map(({ organization, role }) => [organization.id, role]),
        [
          [alpha.id, "viewer"],
          [beta.id, "owner"]
        ]
      )
      assert.strictEqual(answer.expiresIn, 900)
      assert.strictEqual(
        DateTime.toEpochMillis(answer.expiresAt) - DateTime.toEpochMillis(now),
        Duration.toMillis(Duration.minutes(15))
      )
      const claims = yield* (yield* TokenSigner).verify(answer.accessToken, ["session"])
      if (claims.use !== "session") return assert.fail("a login gives a session")
      const { actor } = yield* admit(claims, alpha.id)
      assert.deepStrictEqual(actor.kind === "user" ? [actor.userId, actor.role] : actor.kind, [
        person.user.id,
        "viewer"
      ])
    })
  )

  it.effect("answers an unknown address, a wrong password and a disabled user alike", () =>
    Effect.gen(function* () {
      const [person, disabled] = [yield* givenUser(), yield* givenUser()]
      yield* asOperator(setUserStatus(disabled.user.id, "disabled"))
      const refusals = [
        yield* Effect.flip(attemptBy(person, { password: wrong })),
        yield* Effect.flip(attemptBy(person, { email: "nobody@people.test" })),
        yield* Effect.flip(attemptBy(disabled)),
        yield* Effect.flip(attemptBy(disabled, { password: wrong }))
      ]
      for (const refusal of refusals) {
        assert.deepStrictEqual(
          [refusal._tag, refusal.message],
          ["InvalidCredentials", "The e-mail address or the password is wrong."]
        )
      }
    })
  )

  it.effect("tries the password of an unknown address too, so that it takes as long", () =>
    Effect.gen(function* () {
      const real = yield* PasswordHasher
      const tried: Array<string | null> = []
      const watched = PasswordHasher.of({
        ...real,
        verify: (password, hash) => {
          tried.push(hash)
          return real.verify(password, hash)
        }
      })
      const person = yield* givenUser()
      yield* Effect.flip(attemptBy(person, { email: "nobody@people.test" })).pipe(
        Effect.provideService(PasswordHasher, watched)
      )
      assert.deepStrictEqual(tried, [null])
    })
  )

  it.effect("lets a disabled user in again when they are active again", () =>
    Effect.gen(function* () {
      const person = yield* givenUser()
      yield* asOperator(setUserStatus(person.user.id, "disabled"))
      yield* asOperator(setUserStatus(person.user.id, "active"))
      assert.strictEqual(yield* tagOf(attemptBy(person)), "ok")
    })
  )

  it.effect("takes only an organization that the user belongs to and that is active", () =>
    Effect.gen(function* () {
      const [own, suspended, inviting, other] = [
        yield* givenOrganization(),
        yield* givenOrganization(),
        yield* givenOrganization(),
        yield* givenOrganization()
      ]
      const person = yield* givenMember(own)
      yield* givenMembership(suspended, "owner", person)
      yield* setOrganizationStatus("suspended").pipe(asOperatorOf(suspended))
      yield* givenInvitation(inviting, person.user.email)
      const into = (organizationId: OrganizationId) => tagOf(attemptBy(person, { organizationId }))
      assert.strictEqual(yield* into(own.id), "ok")
      for (const organization of [suspended, inviting, other]) {
        assert.strictEqual(yield* into(organization.id), "OrganizationForbidden")
      }
      assert.strictEqual(
        yield* into(OrganizationId.make("01990000-0000-7000-8000-00000000dead")),
        "OrganizationForbidden"
      )
    })
  )

  it.effect("makes an outdated hash anew, and keeps one that is not", () =>
    Effect.gen(function* () {
      const real = yield* PasswordHasher
      const users = yield* Users
      const person = yield* givenUser()
      const hash = Effect.map(users.credentialsById(person.user.id), (credentials) => credentials?.passwordHash)
      const before = yield* hash
      yield* attemptBy(person)
      assert.strictEqual(yield* hash, before)
      const demanding = PasswordHasher.of({
        ...real,
        verify: (password, hash) => Effect.map(real.verify(password, hash), ({ fits }) => ({ fits, outdated: true }))
      })
      yield* attemptBy(person).pipe(Effect.provideService(PasswordHasher, demanding))
      assert.notStrictEqual(yield* hash, before)
      assert.strictEqual(yield* tagOf(attemptBy(person)), "ok")
    })
  )
})

layer(TestKit.layer)("the login throttle", (it) => {
  const fail = (person: Person, times: number, address = `of ${person.user.id}`) =>
    Effect.replicateEffect(tagOf(attemptBy(person, { password: wrong, address })), times)

  it.effect("lets an account fail 20 times in a quarter of an hour, then refuses the right password too", () =>
    Effect.gen(function* () {
      const person = yield* givenUser()
      const tags = yield* fail(person, 21)
      assert.deepStrictEqual(tags, [...Array.from({ length: 20 }, () => "InvalidCredentials"), "LoginThrottled"])
      const refusal = yield* Effect.flip(attemptBy(person))
      if (refusal._tag !== "LoginThrottled") return assert.fail(refusal._tag)
      assert.isTrue(refusal.retryAfterSeconds > 0 && refusal.retryAfterSeconds <= 900)
      yield* TestClock.adjust(Duration.seconds(refusal.retryAfterSeconds))
      assert.strictEqual(yield* tagOf(attemptBy(person)), "ok")
    })
  )

  it.effect("counts no success: who logs in rightly is never refused", () =>
    Effect.gen(function* () {
      const person = yield* givenUser()
      yield* fail(person, 19)
      const tags = yield* Effect.replicateEffect(tagOf(attemptBy(person)), 30)
      assert.deepStrictEqual(Array.from(new Set(tags)), ["ok"])
      assert.deepStrictEqual(yield* fail(person, 2), ["InvalidCredentials", "LoginThrottled"])
    })
  )

  it.effect("counts an account that does not exist like one that does", () =>
    Effect.gen(function* () {
      const stranger = yield* givenUser()
      const attempt = tagOf(attemptBy(stranger, { email: `nobody@${stranger.user.id}.test` }))
      const tags = yield* Effect.replicateEffect(attempt, 21)
      assert.deepStrictEqual(tags.slice(19), ["InvalidCredentials", "LoginThrottled"])
    })
  )

  it.effect("counts an account from wherever it is tried", () =>
    Effect.gen(function* () {
      const person = yield* givenUser()
      for (let index = 0; index < 20; index += 1) yield* fail(person, 1, `address ${index} of ${person.user.id}`)
      assert.strictEqual(yield* tagOf(attemptBy(person)), "LoginThrottled")
    })
  )

  it.effect("lets an address fail 100 times, whoever is tried from it, and no other address suffers", () =>
    Effect.gen(function* () {
      const people = yield* Effect.replicateEffect(givenUser(), 6)
      const [last] = people
      if (last === undefined) return assert.fail("there are six")
      const address = `office of ${last.user.id}`
      const tags = yield* Effect.forEach(people.slice(1), (person) => fail(person, 20, address))
      assert.deepStrictEqual(Array.from(new Set(tags.flat())), ["InvalidCredentials"])
      assert.strictEqual(yield* tagOf(attemptBy(last, { address })), "LoginThrottled")
      assert.strictEqual(yield* tagOf(attemptBy(last)), "ok")
    })
  )

  it.effect("does not charge an address for tries at an account that is refused already", () =>
    Effect.gen(function* () {
      const [attacked, neighbour] = [yield* givenUser(), yield* givenUser()]
      const address = `office of ${attacked.user.id}`
      yield* fail(attacked, 150, address)
      assert.strictEqual(yield* tagOf(attemptBy(neighbour, { address })), "ok")
    })
  )

  it.effect("does not charge an account for passwords that were never looked at", () =>
    Effect.gen(function* () {
      const real = yield* PasswordHasher
      const busy = PasswordHasher.of({ ...real, verify: () => new LoginBusy({ retryAfterSeconds: 1 }) })
      const person = yield* givenUser()
      const flood = tagOf(attemptBy(person)).pipe(Effect.provideService(PasswordHasher, busy))
      const tags = yield* Effect.replicateEffect(flood, 50)
      assert.deepStrictEqual(Array.from(new Set(tags)), ["LoginBusy"])
      assert.strictEqual(yield* tagOf(attemptBy(person)), "ok")
    })
  )

  it.effect("lets no more through when all come at once", () =>
    Effect.gen(function* () {
      const person = yield* givenUser()
      const tags = yield* Effect.replicateEffect(
        Effect.suspend(() => tagOf(attemptBy(person, { password: wrong }))),
        60,
        { concurrency: "unbounded" }
      )
      assert.strictEqual(tags.filter((tag) => tag === "InvalidCredentials").length, 20)
      assert.strictEqual(tags.filter((tag) => tag === "LoginThrottled").length, 40)
    })
  )
})
