import { assert, describe, it } from "@effect/vitest"
import { SessionId, transact } from "@parley/domain/kernel"
import {
  Accounts,
  addMember,
  changeMemberRole,
  issueAutomationToken,
  Plans,
  removeMember,
  revokeAutomationToken,
  Session,
  Sessions,
  setOrganizationPlan,
  setOrganizationStatus,
  setUserStatus
} from "@parley/domain/platform"
import { actingIn, actorOf, asOperator, asOperatorOf, givenMember, givenOrganization } from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import { givenNodes, type Services } from "./support/nodes.ts"

const openSession = Effect.fnUntraced(function* (userId: Session["userId"]) {
  const now = yield* DateTime.now
  const session = new Session({
    id: SessionId.make(SecureRandom.uuidV7Unsafe()),
    userId,
    createdAt: now,
    expiresAt: DateTime.add(now, { days: 30 })
  })
  yield* transact((yield* Sessions).insert(session, session.id))
  return session.id
})

const givenPlace = Effect.gen(function* () {
  const organization = yield* givenOrganization({ plan: "growth" })
  const owner = yield* givenMember(organization, "owner")
  const person = yield* givenMember(organization, "admin")
  const sessionId = yield* openSession(person.user.id)
  const issued = yield* issueAutomationToken({
    name: "Nightly",
    permissions: ["automations.read"],
    expiresAt: DateTime.add(yield* DateTime.now, { days: 1 })
  }).pipe(actingIn(organization, yield* actorOf(owner, organization)))
  const tokenId = issued.automationToken.id

  /** Everything that may be remembered, in words. */
  const seen = Effect.gen(function* () {
    const accounts = yield* Accounts
    const now = yield* DateTime.now
    const session = yield* accounts.sessionAccess(sessionId, organization.id, now)
    const token = yield* accounts.tokenAccess(tokenId, now)
    return {
      session: session?.live === true ? session.userStatus : "over",
      role: session?.membership?.role ?? null,
      organization: session?.membership?.organizationStatus ?? null,
      token: token?.live === true ? token.organizationStatus : "over",
      plan: yield* (yield* Plans).current().pipe(asOperatorOf(organization))
    }
  })
  return { ...person, organization, seen, sessionId, tokenId }
})

type Place = Effect.Success<typeof givenPlace>

type Seen = Effect.Success<Place["seen"]>

const before: Seen = { session: "active", role: "admin", organization: "active", token: "active", plan: "growth" }

interface Change {
  readonly name: string
  readonly make: (place: Place) => Effect.Effect<unknown, unknown, Services>
  readonly after: Partial<Seen>
}

const changes: ReadonlyArray<Change> = [
  {
    name: "that a session was revoked",
    make: ({ sessionId }) =>
      Effect.gen(function* () {
        yield* transact((yield* Sessions).revoke(sessionId, yield* DateTime.now))
      }),
    after: { session: "over" }
  },
  {
    name: "that all sessions of a user were revoked",
    make: ({ user }) =>
      Effect.gen(function* () {
        yield* transact((yield* Sessions).revokeAllOf(user.id, null, yield* DateTime.now))
      }),
    after: { session: "over" }
  },
  {
    name: "that a user was disabled",
    make: ({ user }) => setUserStatus({ id: user.id, status: "disabled" }).pipe(asOperator),
    after: { session: "over" }
  },
  {
    name: "that a member has another role",
    make: ({ member, organization }) =>
      changeMemberRole({ id: member.id, role: "viewer", ifVersion: null }).pipe(asOperatorOf(organization)),
    after: { role: "viewer" }
  },
  {
    name: "that a member was removed",
    make: ({ member, organization }) => removeMember({ id: member.id }).pipe(asOperatorOf(organization)),
    after: { role: null, organization: null }
  },
  {
    name: "that an organization was suspended",
    make: ({ organization }) => setOrganizationStatus({ status: "suspended" }).pipe(asOperatorOf(organization)),
    after: { organization: "suspended", token: "suspended" }
  },
  {
    name: "that an organization is on another plan",
    make: ({ organization }) => setOrganizationPlan({ plan: "scale" }).pipe(asOperatorOf(organization)),
    after: { plan: "scale" }
  },
  {
    name: "that an automation token was revoked",
    make: ({ organization, tokenId }) => revokeAutomationToken({ id: tokenId }).pipe(asOperatorOf(organization)),
    after: { token: "over" }
  }
]

describe("two processes", () => {
  for (const { after, make, name } of changes) {
    it.effect(`the one that made the change says at once ${name}, the other half a second later`, () =>
      Effect.gen(function* () {
        const [here = assert.fail(), there = assert.fail()] = yield* givenNodes(2)
        const place = yield* Effect.provide(givenPlace, here)
        const [seenHere, seenThere] = [Effect.provide(place.seen, here), Effect.provide(place.seen, there)]
        assert.deepStrictEqual(yield* seenHere, before)
        assert.deepStrictEqual(yield* seenThere, before)
        yield* Effect.provide(make(place), here)
        assert.deepStrictEqual(yield* seenHere, { ...before, ...after })
        yield* TestClock.adjust("500 millis")
        assert.deepStrictEqual(yield* seenThere, { ...before, ...after })
      })
    )
  }

  it.effect("a person who is added again has the new role directly, regardless of earlier reads", () =>
    Effect.gen(function* () {
      const [here = assert.fail()] = yield* givenNodes(1)
      yield* Effect.gen(function* () {
        const { member, organization, seen, user } = yield* givenPlace
        yield* removeMember({ id: member.id }).pipe(asOperatorOf(organization))
        assert.isNull((yield* seen).role)
        yield* addMember({ userId: user.id, role: "agent" }).pipe(asOperatorOf(organization))
        assert.strictEqual((yield* seen).role, "agent")
      }).pipe(Effect.provide(here))
    })
  )
})
