import { assert, layer } from "@effect/vitest"
import { type SessionId, transact } from "@parley/domain/kernel"
import {
  exchangeDocsCode,
  getDocsSession,
  handOffToDocs,
  logout,
  permissionsOfRole,
  removeMember,
  resetPassword,
  sessionLifetime,
  Sessions,
  setOrganizationPlan,
  setOrganizationStatus,
  setUserStatus,
  TokenSigner,
  userActor
} from "@parley/domain/platform"
import {
  actingIn,
  asOperator,
  asOperatorOf,
  everybodysPassword,
  givenDocsReader,
  givenMember,
  givenOrganization,
  TestKit
} from "@parley/testkit"
import { DateTime, Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { tagOf } from "../../tagOf.ts"

const given = Effect.gen(function* () {
  const organization = yield* givenOrganization({ plan: "growth" })
  const person = yield* givenMember(organization, "viewer")
  const reader = yield* givenDocsReader(organization, person)
  const actor = userActor(reader.userId, reader.sessionId)
  const inSession = actingIn(organization, { ...actor, role: "viewer", permissions: permissionsOfRole("viewer") })
  return { handOff: inSession(handOffToDocs()), inSession, organization, person, reader }
})

type Given = Effect.Success<typeof given>

const revokeSession = (id: SessionId, now: DateTime.Utc) =>
  Effect.flatMap(Sessions, (sessions) => sessions.revoke(id, now))

layer(TestKit.layer)("the hand-off to the documentation", (it) => {
  it.effect("gives a code of 256 random bits that is good for 60 seconds", () =>
    Effect.gen(function* () {
      const { handOff } = yield* given
      const now = yield* DateTime.now
      const { code, expiresAt } = yield* handOff
      assert.match(Redacted.value(code), /^[A-Za-z0-9_-]{43}$/)
      assert.strictEqual(DateTime.toEpochMillis(expiresAt) - DateTime.toEpochMillis(now), 60_000)
    })
  )

  it.effect("exchanges the code for a session of 10 minutes that is good for nothing else", () =>
    Effect.gen(function* () {
      const signer = yield* TokenSigner
      const { handOff, organization, person, reader } = yield* given
      const { code } = yield* handOff
      const now = yield* DateTime.now
      const session = yield* exchangeDocsCode({ code })
      assert.deepStrictEqual([session.user.id, session.organization.id], [person.user.id, organization.id])
      assert.strictEqual(DateTime.toEpochMillis(session.expiresAt) - DateTime.toEpochMillis(now), 600_000)
      const { expiresAt, ...claims } = yield* signer.verify(session.sessionToken, ["docs"])
      assert.deepStrictEqual({ ...claims }, { use: "docs", ...reader })
      assert.strictEqual(DateTime.toEpochMillis(expiresAt), DateTime.toEpochMillis(session.expiresAt))
      assert.strictEqual(yield* tagOf(signer.verify(session.sessionToken, ["session", "automation"])), "TokenInvalid")
    })
  )

  it.effect("takes a code until it is 60 seconds old", () =>
    Effect.gen(function* () {
      const { handOff } = yield* given
      const [early, late] = [yield* handOff, yield* handOff]
      yield* TestClock.adjust("59999 millis")
      assert.strictEqual(yield* tagOf(exchangeDocsCode({ code: early.code })), "ok")
      yield* TestClock.adjust("1 milli")
      assert.strictEqual(yield* tagOf(exchangeDocsCode({ code: late.code })), "DocsCodeInvalid")
    })
  )

  it.effect("accepts a code once and an unknown one never", () =>
    Effect.gen(function* () {
      const { handOff } = yield* given
      const { code } = yield* handOff
      assert.strictEqual(yield* tagOf(exchangeDocsCode({ code })), "ok")
      for (const none of [code, Redacted.make(""), Redacted.make("nothing"), Redacted.make("x".repeat(10_000))]) {
        assert.strictEqual(yield* tagOf(exchangeDocsCode({ code: none })), "DocsCodeInvalid")
      }
    })
  )

  it.effect("of a thousand concurrent exchanges of one code one succeeds", () =>
    Effect.gen(function* () {
      const { handOff } = yield* given
      const { code } = yield* handOff
      const tags = yield* Effect.replicateEffect(tagOf(exchangeDocsCode({ code })), 1000, { concurrency: "unbounded" })
      assert.strictEqual(tags.filter((tag) => tag === "ok").length, 1)
      assert.strictEqual(tags.filter((tag) => tag === "DocsCodeInvalid").length, 999)
    })
  )

  it.effect("refuses codes of members who left or were disabled, and of suspended organizations", () =>
    Effect.gen(function* () {
      const [left, disabled, suspended] = [yield* given, yield* given, yield* given]
      const codes = [yield* left.handOff, yield* disabled.handOff, yield* suspended.handOff]
      yield* removeMember({ id: left.person.member.id }).pipe(asOperatorOf(left.organization))
      yield* asOperator(setUserStatus({ id: disabled.person.user.id, status: "disabled" }))
      yield* setOrganizationStatus({ status: "suspended" }).pipe(asOperatorOf(suspended.organization))
      for (const { code } of codes) assert.strictEqual(yield* tagOf(exchangeDocsCode({ code })), "DocsCodeInvalid")
    })
  )
})

layer(TestKit.layer)("the session that a code or a docs session comes from", (it) => {
  const ends = [
    ["a logout", ({ inSession }: Given) => inSession(logout())],
    [
      "a new password",
      ({ person }: Given) => asOperator(resetPassword({ id: person.user.id, password: everybodysPassword }))
    ],
    [
      "a session that another one revokes",
      ({ reader }: Given) => Effect.flatMap(DateTime.now, (now) => transact(revokeSession(reader.sessionId, now)))
    ],
    ["its own end", () => TestClock.adjust(sessionLifetime)]
  ] as const

  it.effect.each(ends)("ends both with %s", ([, end]) =>
    Effect.gen(function* () {
      const mine = yield* given
      const started = yield* exchangeDocsCode({ code: (yield* mine.handOff).code })
      assert.strictEqual(yield* tagOf(getDocsSession(mine.reader)), "ok")
      const { code } = yield* mine.handOff
      yield* Effect.orDie(end(mine))
      assert.strictEqual(yield* tagOf(exchangeDocsCode({ code })), "DocsCodeInvalid")
      assert.strictEqual(yield* tagOf(getDocsSession(mine.reader)), "TokenRevoked")
      assert.strictEqual(started.user.id, mine.person.user.id)
    })
  )

  it.effect("ends them, and the end of another session does not", () =>
    Effect.gen(function* () {
      const mine = yield* given
      const other = yield* givenDocsReader(mine.organization, mine.person)
      const { code } = yield* mine.handOff
      yield* Effect.flatMap(DateTime.now, (now) => transact(revokeSession(other.sessionId, now)))
      assert.strictEqual(yield* tagOf(getDocsSession(other)), "TokenRevoked")
      assert.strictEqual(yield* tagOf(getDocsSession(mine.reader)), "ok")
      assert.strictEqual(yield* tagOf(exchangeDocsCode({ code })), "ok")
    })
  )

  it.effect("belongs to the reader", () =>
    Effect.gen(function* () {
      const [mine, other] = [yield* given, yield* given]
      const reader = { ...mine.reader, sessionId: other.reader.sessionId }
      assert.strictEqual(yield* tagOf(getDocsSession(reader)), "TokenRevoked")
    })
  )
})

layer(TestKit.layer)("a session at the documentation", (it) => {
  it.effect("returns reader, organization, and the features and limits of its plan", () =>
    Effect.gen(function* () {
      const { organization, person, reader } = yield* given
      const session = yield* getDocsSession(reader)
      assert.deepStrictEqual([session.user.id, session.organization.id], [person.user.id, organization.id])
      assert.deepStrictEqual(
        session.entitlements.features.map(({ allowed, feature }) => [feature, allowed]),
        [
          ["automations", true],
          ["workflows", false],
          ["plugins", false]
        ]
      )
      assert.strictEqual(session.entitlements.limits.find(({ limit }) => limit === "seats")?.used, 1)
    })
  )

  it.effect("shows a plan change directly", () =>
    Effect.gen(function* () {
      const { organization, reader } = yield* given
      yield* setOrganizationPlan({ plan: "free" }).pipe(asOperatorOf(organization))
      const session = yield* getDocsSession(reader)
      assert.deepStrictEqual([session.organization.plan, session.entitlements.plan], ["free", "free"])
    })
  )

  it.effect("is over when the reader leaves, is disabled, or the organization is suspended", () =>
    Effect.gen(function* () {
      const [left, disabled, suspended] = [yield* given, yield* given, yield* given]
      yield* removeMember({ id: left.person.member.id }).pipe(asOperatorOf(left.organization))
      yield* asOperator(setUserStatus({ id: disabled.person.user.id, status: "disabled" }))
      yield* setOrganizationStatus({ status: "suspended" }).pipe(asOperatorOf(suspended.organization))
      assert.strictEqual(yield* tagOf(getDocsSession(left.reader)), "OrganizationForbidden")
      assert.strictEqual(yield* tagOf(getDocsSession(disabled.reader)), "TokenRevoked")
      assert.notStrictEqual(yield* tagOf(getDocsSession(suspended.reader)), "ok")
    })
  )

  it.effect("opens no organization that the reader does not belong to", () =>
    Effect.gen(function* () {
      const [mine, other] = [yield* given, yield* given]
      const reader = { ...mine.reader, organizationId: other.organization.id }
      assert.strictEqual(yield* tagOf(getDocsSession(reader)), "OrganizationForbidden")
    })
  )
})
