import { assert, layer } from "@effect/vitest"
import { UserId } from "@parley/domain/kernel"
import {
  authorize,
  changePassword,
  listAuditEvents,
  login,
  logout,
  platformOrganizationId,
  refreshSession,
  resetPassword,
  setUserStatus,
  TokenSigner,
  updateMe
} from "@parley/domain/platform"
import {
  actorOf,
  as,
  asOperator,
  asOperatorOf,
  everybodysPassword,
  givenMember,
  givenOrganization,
  givenUser,
  type Person,
  signIn,
  TestKit
} from "@parley/testkit"
import { DateTime, Duration, Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { tagOf } from "../../tagOf.ts"

const newPassword = Redacted.make("a new password, hard to guess")

/** Current state of an access token: `ok`, or the reason against it. */
const worth = (accessToken: Redacted.Redacted) =>
  tagOf(
    Effect.gen(function* () {
      const claims = yield* (yield* TokenSigner).verify(accessToken, ["session"])
      if (claims.use !== "session") return yield* Effect.die(new Error("This is no session."))
      return yield* authorize(claims, null)
    })
  )

const actorWith = Effect.fnUntraced(function* (accessToken: Redacted.Redacted) {
  const claims = yield* (yield* TokenSigner).verify(accessToken, ["session"])
  if (claims.use !== "session") return yield* Effect.die(new Error("This is no session."))
  return (yield* authorize(claims, null)).actor
})

const tryPassword = ({ user }: Person, password: Redacted.Redacted) =>
  tagOf(login({ email: user.email, password, organizationId: null, address: `of ${user.id}` }))

layer(TestKit.layer)("refreshSession", (it) => {
  it.effect("exchanges a refresh token for the next pair, again and again, in one session", () =>
    Effect.gen(function* () {
      const person = yield* givenUser()
      const first = yield* signIn(person)
      yield* TestClock.adjust("14 minutes")
      const second = yield* refreshSession({ refreshToken: first.refreshToken })
      yield* TestClock.adjust("20 days")
      const third = yield* refreshSession({ refreshToken: second.refreshToken })
      assert.notStrictEqual(Redacted.value(second.refreshToken), Redacted.value(first.refreshToken))
      assert.strictEqual(third.expiresIn, 900)
      const now = yield* DateTime.now
      assert.strictEqual(
        DateTime.toEpochMillis(third.expiresAt) - DateTime.toEpochMillis(now),
        Duration.toMillis(Duration.minutes(15))
      )
      assert.deepStrictEqual(
        [yield* worth(first.accessToken), yield* worth(second.accessToken), yield* worth(third.accessToken)],
        ["TokenExpired", "TokenExpired", "ok"]
      )
    })
  )

  it.effect("tells a call that lost the race, within 10 seconds, and the session goes on", () =>
    Effect.gen(function* () {
      const { refreshToken } = yield* signIn(yield* givenUser())
      const winner = yield* refreshSession({ refreshToken })
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(yield* tagOf(refreshSession({ refreshToken })), "RefreshSuperseded")
      assert.strictEqual(yield* worth(winner.accessToken), "ok")
      assert.strictEqual(yield* tagOf(refreshSession({ refreshToken: winner.refreshToken })), "ok")
    })
  )

  it.effect("ends the session when a spent token comes again after that", () =>
    Effect.gen(function* () {
      const person = yield* givenUser()
      const other = yield* signIn(person)
      const { accessToken, refreshToken } = yield* signIn(person)
      const winner = yield* refreshSession({ refreshToken })
      yield* TestClock.adjust("10001 millis")
      assert.strictEqual(yield* tagOf(refreshSession({ refreshToken })), "SessionReuseDetected")
      assert.strictEqual(yield* worth(accessToken), "TokenRevoked")
      assert.strictEqual(yield* worth(winner.accessToken), "TokenRevoked")
      assert.strictEqual(yield* tagOf(refreshSession({ refreshToken: winner.refreshToken })), "TokenRevoked")
      assert.strictEqual(yield* tagOf(refreshSession({ refreshToken })), "TokenRevoked")
      assert.strictEqual(yield* worth(other.accessToken), "ok", "another login is another session")
    })
  )

  it.effect("ends the session also for a reused older token of the family", () =>
    Effect.gen(function* () {
      const first = yield* signIn(yield* givenUser())
      const second = yield* refreshSession({ refreshToken: first.refreshToken })
      yield* TestClock.adjust("1 minute")
      const third = yield* refreshSession({ refreshToken: second.refreshToken })
      assert.strictEqual(yield* tagOf(refreshSession({ refreshToken: first.refreshToken })), "SessionReuseDetected")
      assert.strictEqual(yield* worth(third.accessToken), "TokenRevoked")
    })
  )

  it.effect("accepts a token for the first of 100 concurrent refreshes and refuses the others with that reason", () =>
    Effect.gen(function* () {
      const { refreshToken } = yield* signIn(yield* givenUser())
      const tags = yield* Effect.replicateEffect(
        Effect.suspend(() => tagOf(refreshSession({ refreshToken }))),
        100,
        { concurrency: "unbounded" }
      )
      assert.strictEqual(tags.filter((tag) => tag === "ok").length, 1)
      assert.strictEqual(tags.filter((tag) => tag === "RefreshSuperseded").length, 99)
    })
  )

  it.effect("refuses unknown tokens and tokens of ended sessions", () =>
    Effect.gen(function* () {
      const { refreshToken } = yield* signIn(yield* givenUser())
      assert.strictEqual(yield* tagOf(refreshSession({ refreshToken: Redacted.make("nothing") })), "TokenInvalid")
      yield* TestClock.adjust("30 days")
      assert.strictEqual(yield* tagOf(refreshSession({ refreshToken })), "TokenExpired")
    })
  )

  it.effect("refuses a disabled user", () =>
    Effect.gen(function* () {
      const person = yield* givenUser()
      const { refreshToken } = yield* signIn(person)
      yield* asOperator(setUserStatus({ id: person.user.id, status: "disabled" }))
      assert.strictEqual(yield* tagOf(refreshSession({ refreshToken })), "TokenRevoked")
      yield* asOperator(setUserStatus({ id: person.user.id, status: "active" }))
      assert.strictEqual(yield* tagOf(refreshSession({ refreshToken })), "TokenRevoked", "the old sessions stay ended")
    })
  )
})

layer(TestKit.layer)("logout", (it) => {
  it.effect("ends the session it was called with, and no other", () =>
    Effect.gen(function* () {
      const person = yield* givenUser()
      const [here, there] = [yield* signIn(person), yield* signIn(person)]
      yield* logout().pipe(as(yield* actorWith(here.accessToken)))
      assert.strictEqual(yield* worth(here.accessToken), "TokenRevoked")
      assert.strictEqual(yield* tagOf(refreshSession({ refreshToken: here.refreshToken })), "TokenRevoked")
      assert.strictEqual(yield* worth(there.accessToken), "ok")
      assert.strictEqual(yield* tagOf(refreshSession({ refreshToken: there.refreshToken })), "ok")
    })
  )
})

layer(TestKit.layer)("changePassword", (it) => {
  const change = (currentPassword: Redacted.Redacted, id: UserId) =>
    changePassword({ currentPassword, newPassword, address: `of ${id}` })

  it.effect("changes the password, ends the other sessions and keeps this one", () =>
    Effect.gen(function* () {
      const person = yield* givenMember(yield* givenOrganization())
      const [here, there] = [yield* signIn(person), yield* signIn(person)]
      yield* change(person.password, person.user.id).pipe(as(yield* actorWith(here.accessToken)))
      assert.strictEqual(yield* worth(here.accessToken), "ok")
      assert.strictEqual(yield* worth(there.accessToken), "TokenRevoked")
      assert.strictEqual(yield* tagOf(refreshSession({ refreshToken: there.refreshToken })), "TokenRevoked")
      assert.deepStrictEqual(
        [yield* tryPassword(person, person.password), yield* tryPassword(person, newPassword)],
        ["InvalidCredentials", "ok"]
      )
    })
  )

  it.effect("refuses a wrong old password, and changes nothing", () =>
    Effect.gen(function* () {
      const person = yield* givenUser()
      const [here, there] = [yield* signIn(person), yield* signIn(person)]
      const tag = yield* tagOf(change(newPassword, person.user.id)).pipe(as(yield* actorWith(here.accessToken)))
      assert.strictEqual(tag, "InvalidCredentials")
      assert.strictEqual(yield* worth(there.accessToken), "ok")
      assert.strictEqual(yield* tryPassword(person, everybodysPassword), "ok")
    })
  )

  it.effect("does not count success: a correct change is never throttled", () =>
    Effect.gen(function* () {
      const person = yield* givenUser()
      const actor = yield* actorOf(person)
      const wrong = tagOf(change(newPassword, person.user.id)).pipe(as(actor))
      yield* Effect.replicateEffect(wrong, 8)
      const same = { currentPassword: person.password, newPassword: person.password, address: `of ${person.user.id}` }
      yield* changePassword(same).pipe(as(actor))
      assert.deepStrictEqual(yield* Effect.replicateEffect(wrong, 2), ["InvalidCredentials", "LoginThrottled"])
    })
  )

  it.effect("counts wrong old passwords like failed logins", () =>
    Effect.gen(function* () {
      const person = yield* givenUser()
      const actor = yield* actorOf(person)
      const tries = yield* Effect.replicateEffect(tagOf(change(newPassword, person.user.id)).pipe(as(actor)), 10)
      assert.deepStrictEqual(tries.slice(-2), ["InvalidCredentials", "LoginThrottled"])
      assert.strictEqual(yield* tryPassword(person, person.password), "LoginThrottled")
    })
  )
})

layer(TestKit.layer)("user administration by operators", (it) => {
  it.effect("resetPassword sets the password and ends every session", () =>
    Effect.gen(function* () {
      const person = yield* givenUser()
      const session = yield* signIn(person)
      yield* asOperator(resetPassword({ id: person.user.id, password: newPassword }))
      assert.strictEqual(yield* worth(session.accessToken), "TokenRevoked")
      assert.deepStrictEqual(
        [yield* tryPassword(person, person.password), yield* tryPassword(person, newPassword)],
        ["InvalidCredentials", "ok"]
      )
    })
  )

  it.effect("setUserStatus ends every session of the disabled user only", () =>
    Effect.gen(function* () {
      const [person, other] = [yield* givenUser(), yield* givenUser()]
      const [session, others] = [yield* signIn(person), yield* signIn(other)]
      const disabled = yield* asOperator(setUserStatus({ id: person.user.id, status: "disabled" }))
      assert.strictEqual(disabled.status, "disabled")
      assert.strictEqual(yield* worth(session.accessToken), "TokenRevoked")
      assert.strictEqual(yield* worth(others.accessToken), "ok")
    })
  )

  it.effect("setUserStatus lets who is active go on", () =>
    Effect.gen(function* () {
      const person = yield* givenUser()
      const session = yield* signIn(person)
      yield* asOperator(setUserStatus({ id: person.user.id, status: "active" }))
      assert.strictEqual(yield* worth(session.accessToken), "ok")
    })
  )

  it.effect("a user who is not there is not found", () =>
    Effect.gen(function* () {
      const nobody = UserId.make("01990000-0000-7000-8000-00000000dead")
      assert.strictEqual(yield* tagOf(asOperator(setUserStatus({ id: nobody, status: "disabled" }))), "NotFound")
      assert.strictEqual(yield* tagOf(asOperator(resetPassword({ id: nobody, password: newPassword }))), "NotFound")
    })
  )
})

layer(TestKit.layer)("updateMe", (it) => {
  it.effect("changes the name, and leaves what is absent", () =>
    Effect.gen(function* () {
      const person = yield* givenUser({ name: "Ada" })
      const actor = yield* actorOf(person)
      assert.strictEqual((yield* updateMe({ name: "Grace" }).pipe(as(actor))).name, "Grace")
      assert.strictEqual((yield* updateMe({}).pipe(as(actor))).name, "Grace")
      assert.strictEqual((yield* updateMe({ name: "Grace" }).pipe(as(actor))).name, "Grace")
      const filter = { actorId: null, targetKind: null, targetId: person.user.id, action: "user.renamed" }
      const { data } = yield* listAuditEvents({
        ...filter,
        from: null,
        to: null,
        page: { limit: 10, cursor: null }
      }).pipe(asOperatorOf({ id: platformOrganizationId }))
      assert.lengthOf(data, 1, "what changes nothing is no change")
      assert.strictEqual((yield* signIn(person)).user.name, "Grace")
    })
  )
})
