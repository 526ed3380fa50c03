import { assert } from "@effect/vitest"
import { SessionId, transact } from "@parley/domain/kernel"
import { Accounts, Members, Sessions, Users } from "@parley/domain/platform"
import { type DateTime, Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import {
  after,
  freshId,
  givenInvitation,
  givenMember,
  givenOrganization,
  givenSession,
  inside,
  present
} from "../../given.ts"
import { setStatus, justBefore } from "./givenAccess.ts"

const givenSignedIn = Effect.gen(function* () {
  const now = yield* present
  const organization = yield* givenOrganization()
  const { member, user } = yield* givenMember(organization, "agent")
  const { session } = yield* givenSession(user, now)
  const accounts = yield* Accounts
  const access = accounts.sessionAccess(session.id, organization.id, now)
  return { accounts, member, now, organization, session, access, user }
})

export const sessionAccess: StorageContract = {
  port: "Accounts (sessions)",
  promises: (it) => {
    it.effect("returns the access of a live session to an organization", () =>
      Effect.gen(function* () {
        const { access, user } = yield* givenSignedIn
        assert.deepStrictEqual(yield* access, {
          userId: user.id,
          userStatus: "active",
          live: true,
          mustChangePassword: false,
          membership: { role: "agent", organizationStatus: "active" }
        })
      })
    )

    it.effect("marks a session until its user changes the password", () =>
      Effect.gen(function* () {
        const { access, user } = yield* givenSignedIn
        const users = yield* Users
        yield* transact(users.requirePasswordChange(user.id))
        assert.isTrue((yield* access)?.mustChangePassword)
        yield* transact(users.setPassword(user.id, { hash: "new", mustChange: false }))
        assert.isFalse((yield* access)?.mustChangePassword)
      })
    )

    it.effect("returns no membership without a requested organization, or in a foreign organization", () =>
      Effect.gen(function* () {
        const { accounts, now, session } = yield* givenSignedIn
        const other = yield* givenOrganization()
        yield* givenMember(other, "owner")
        const nowhere = yield* accounts.sessionAccess(session.id, null, now)
        const elsewhere = yield* accounts.sessionAccess(session.id, other.id, now)
        assert.deepStrictEqual([nowhere?.live, nowhere?.membership], [true, null])
        assert.deepStrictEqual([elsewhere?.live, elsewhere?.membership], [true, null])
        assert.isNull(yield* accounts.sessionAccess(freshId(SessionId), other.id, now))
        assert.isNull(yield* accounts.sessionAccess(freshId(SessionId), null, now))
      })
    )

    it.effect("treats no invitation as a membership", () =>
      Effect.gen(function* () {
        const { accounts, now, session, user } = yield* givenSignedIn
        const other = yield* givenOrganization()
        yield* givenInvitation(other, after(now, "7 days"), { email: user.email })
        assert.isNull((yield* accounts.sessionAccess(session.id, other.id, now))?.membership)
      })
    )

    it.effect("shows the revocation of a session directly", () =>
      Effect.gen(function* () {
        const { now, session, access } = yield* givenSignedIn
        assert.isTrue((yield* access)?.live)
        yield* transact((yield* Sessions).revoke(session.id, now))
        assert.isFalse((yield* access)?.live)
      })
    )

    it.effect("shows the revocation of all sessions of a user except one directly", () =>
      Effect.gen(function* () {
        const { accounts, now, session, access, user } = yield* givenSignedIn
        const kept = (yield* givenSession(user, now)).session
        assert.isTrue((yield* access)?.live)
        yield* transact((yield* Sessions).revokeAllOf(user.id, kept.id, now))
        assert.isFalse((yield* access)?.live)
        assert.isFalse((yield* accounts.sessionAccess(session.id, null, now))?.live)
        assert.isTrue((yield* accounts.sessionAccess(kept.id, null, now))?.live)
      })
    )

    it.effect("ends the access of a session at its end time, also after earlier reads", () =>
      Effect.gen(function* () {
        const { accounts, session, access } = yield* givenSignedIn
        assert.isTrue((yield* access)?.live)
        const liveAt = (at: DateTime.Utc) =>
          Effect.map(accounts.sessionAccess(session.id, null, at), (access) => access?.live)
        assert.isTrue(yield* liveAt(justBefore(session.expiresAt)))
        assert.isFalse(yield* liveAt(session.expiresAt))
        assert.isFalse(yield* liveAt(after(session.expiresAt, "1 day")))
      })
    )

    it.effect("shows disabling and enabling of a user directly", () =>
      Effect.gen(function* () {
        const users = yield* Users
        const { access, user } = yield* givenSignedIn
        assert.strictEqual((yield* access)?.userStatus, "active")
        yield* transact(users.setStatus(user.id, "disabled"))
        assert.strictEqual((yield* access)?.userStatus, "disabled")
        yield* transact(users.setStatus(user.id, "active"))
        assert.strictEqual((yield* access)?.userStatus, "active")
      })
    )

    it.effect("shows suspension and activation of an organization directly", () =>
      Effect.gen(function* () {
        const { organization, access } = yield* givenSignedIn
        assert.strictEqual((yield* access)?.membership?.organizationStatus, "active")
        yield* setStatus(organization, "suspended")
        assert.deepStrictEqual((yield* access)?.membership, { role: "agent", organizationStatus: "suspended" })
        yield* setStatus(organization, "active")
        assert.strictEqual((yield* access)?.membership?.organizationStatus, "active")
      })
    )

    it.effect("shows role changes, removal and return of a member directly", () =>
      Effect.gen(function* () {
        const members = yield* Members
        const { member, organization, access, user } = yield* givenSignedIn
        assert.strictEqual((yield* access)?.membership?.role, "agent")
        yield* members.setRole(member.id, "owner", null).pipe(transact, inside(organization))
        assert.strictEqual((yield* access)?.membership?.role, "owner")
        yield* members.remove(member.id).pipe(transact, inside(organization))
        assert.isNull((yield* access)?.membership)
        yield* givenMember(organization, "viewer", user)
        assert.strictEqual((yield* access)?.membership?.role, "viewer")
      })
    )

    it.effect("shows the acceptance of an invitation directly", () =>
      Effect.gen(function* () {
        const { accounts, now, session, user } = yield* givenSignedIn
        const other = yield* givenOrganization()
        const { member } = yield* givenInvitation(other, after(now, "7 days"), { email: user.email, role: "admin" })
        const access = accounts.sessionAccess(session.id, other.id, now)
        assert.isNull((yield* access)?.membership)
        yield* (yield* Members).join(member.id, user.id, now).pipe(transact, inside(other))
        assert.strictEqual((yield* access)?.membership?.role, "admin")
        assert.include(
          (yield* accounts.affiliations(user.id)).map(({ organization }) => organization.id),
          other.id
        )
      })
    )

    it.effect("remembers nothing of a failed unit of work", () =>
      Effect.gen(function* () {
        const { now, session, access, user } = yield* givenSignedIn
        yield* (yield* Sessions).revoke(session.id, now).pipe(
          Effect.andThen((yield* Users).setStatus(user.id, "disabled")),
          Effect.andThen(access),
          Effect.flatMap((inside) => Effect.fail(inside)),
          transact,
          Effect.flip,
          Effect.map((inside) => assert.deepStrictEqual([inside?.live, inside?.userStatus], [false, "disabled"]))
        )
        const outside = yield* access
        assert.deepStrictEqual([outside?.live, outside?.userStatus], [true, "active"])
      })
    )
  }
}

/** Checks an adapter against the contract of the access of sessions. */
export const sessionAccessContract = runContract(sessionAccess)
