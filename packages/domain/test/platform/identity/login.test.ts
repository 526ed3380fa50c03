import { assert, layer } from "@effect/vitest"
import { OrganizationId } from "@parley/domain/kernel"
import {
  authorize,
  login,
  type LoginAttempt,
  PasswordHasher,
  setOrganizationStatus,
  setUserStatus,
  TokenSigner,
  Users
} from "@parley/domain/platform"
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
import { tagOf } from "../../tagOf.ts"

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
      const { actor } = yield* authorize(claims, alpha.id)
      assert.deepStrictEqual(actor.kind === "user" ? [actor.userId, actor.role] : actor.kind, [
        person.user.id,
        "viewer"
      ])
    })
  )

  it.effect("answers an unknown address, a wrong password and a disabled user equally", () =>
    Effect.gen(function* () {
      const [person, disabled] = [yield* givenUser(), yield* givenUser()]
      yield* asOperator(setUserStatus({ id: disabled.user.id, status: "disabled" }))
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

  it.effect("checks a password for unknown addresses as well, for equal timing", () =>
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
      yield* asOperator(setUserStatus({ id: person.user.id, status: "disabled" }))
      yield* asOperator(setUserStatus({ id: person.user.id, status: "active" }))
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
      yield* setOrganizationStatus({ status: "suspended" }).pipe(asOperatorOf(suspended))
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

  it.effect("renews an outdated hash and keeps a current one", () =>
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
