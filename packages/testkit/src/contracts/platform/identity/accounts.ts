import { assert } from "@effect/vitest"
import { AutomationTokenId, SessionId, transact, UserId } from "@parley/domain/kernel"
import {
  Accounts,
  AutomationTokens,
  Members,
  Organization,
  Organizations,
  type OrganizationStatus,
  Sessions,
  Users
} from "@parley/domain/platform"
import { DateTime, Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import {
  after,
  freshId,
  freshText,
  givenInvitation,
  givenMember,
  givenOrganization,
  givenSession,
  givenUser,
  inside,
  newAutomationToken,
  plain,
  present
} from "../../given.ts"

const setStatus = (organization: Organization, status: OrganizationStatus) =>
  Effect.flatMap(Organizations, (organizations) =>
    transact(organizations.save(new Organization({ ...organization, status }), null))
  ).pipe(inside(organization))

const givenSignedIn = Effect.gen(function* () {
  const now = yield* present
  const organization = yield* givenOrganization()
  const { member, user } = yield* givenMember(organization, "agent")
  const { session } = yield* givenSession(user, now)
  const accounts = yield* Accounts
  const access = accounts.sessionAccess(session.id, organization.id, now)
  return { accounts, member, now, organization, session, access, user }
})

const givenToken = Effect.gen(function* () {
  const now = yield* present
  const organization = yield* givenOrganization()
  const { member, user } = yield* givenMember(organization, "owner")
  const token = newAutomationToken(user, now)
  yield* transact((yield* AutomationTokens).insert(token)).pipe(inside(organization))
  const accounts = yield* Accounts
  const access = Effect.map(accounts.tokenAccess(token.id, now), (found) =>
    found === null || found.heldBy === "person" ? found : assert.fail("A plugin holds it.")
  )
  return { accounts, member, now, organization, access, token, user }
})

const bound = (at: DateTime.Utc) => DateTime.subtract(at, { milliseconds: 1 })

export const accounts: StorageContract = {
  port: "Accounts",
  promises: (it) => {
    it.effect("gives the organizations of a user by name, each with the role there", () =>
      Effect.gen(function* () {
        const accounts = yield* Accounts
        const user = yield* givenUser()
        const names = ["Delta", "Alpha", "Foxtrot", "Charlie", "Bravo", "Golf", "Echo"]
        const places = yield* Effect.forEach(names, (name, index) =>
          Effect.gen(function* () {
            const organization = yield* givenOrganization({ name, plan: index % 2 === 0 ? "free" : "scale" })
            const role = index % 2 === 0 ? "owner" : "viewer"
            yield* givenMember(organization, role, user)
            return { organization: plain.organization(organization), role }
          })
        )
        const affiliations = yield* accounts.affiliations(user.id)
        assert.deepStrictEqual(
          affiliations.map(({ organization, role }) => ({ organization: plain.organization(organization), role })),
          places.toSorted((one, other) => (one.organization.name < other.organization.name ? -1 : 1))
        )
      })
    )

    it.effect("excludes invitations, suspended organizations, former memberships and other people's", () =>
      Effect.gen(function* () {
        const accounts = yield* Accounts
        const now = yield* present
        const user = yield* givenUser()
        const [inviting, suspended, left, kept] = yield* Effect.replicateEffect(givenOrganization(), 4)
        if (!inviting || !suspended || !left || !kept) return assert.fail("there are four")
        yield* givenInvitation(inviting, after(now, "7 days"), { email: user.email })
        yield* givenMember(suspended, "owner", user)
        const { member } = yield* givenMember(left, "owner", user)
        yield* givenMember(kept, "agent", user)
        yield* givenMember(kept, "owner")
        const names = Effect.map(accounts.affiliations(user.id), (all) =>
          all.map(({ organization }) => organization.id)
        )
        assert.sameMembers(yield* names, [suspended.id, left.id, kept.id])
        yield* setStatus(suspended, "suspended")
        yield* (yield* Members).remove(member.id).pipe(transact, inside(left))
        assert.deepStrictEqual(yield* names, [kept.id])
        yield* setStatus(suspended, "active")
        assert.sameMembers(yield* names, [suspended.id, kept.id])
        assert.deepStrictEqual(yield* accounts.affiliations(freshId(UserId)), [])
      })
    )

    it.effect("gives at most 100 organizations", () =>
      Effect.gen(function* () {
        const user = yield* givenUser()
        const membership = Effect.flatMap(givenOrganization({ name: freshText("Zeta") }), (organization) =>
          givenMember(organization, "viewer", user)
        )
        yield* Effect.replicateEffect(membership, 101, { discard: true })
        assert.lengthOf(yield* (yield* Accounts).affiliations(user.id), 100)
      })
    )

    it.effect("says what a live session is worth in an organization", () =>
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

    it.effect("knows of no membership where none was asked for, nor in an organization of others", () =>
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

    it.effect("does not take an invitation for a membership", () =>
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

    it.effect("says that a session is over from its end on, however it was asked before", () =>
      Effect.gen(function* () {
        const { accounts, session, access } = yield* givenSignedIn
        assert.isTrue((yield* access)?.live)
        const liveAt = (at: DateTime.Utc) =>
          Effect.map(accounts.sessionAccess(session.id, null, at), (access) => access?.live)
        assert.isTrue(yield* liveAt(bound(session.expiresAt)))
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

    it.effect("remembers nothing of a unit of work that failed", () =>
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

    it.effect("says what an automation token is worth", () =>
      Effect.gen(function* () {
        const { accounts, now, organization, access, token, user } = yield* givenToken
        assert.deepStrictEqual(yield* access, {
          heldBy: "person",
          organizationId: organization.id,
          organizationStatus: "active",
          responsibleUserId: user.id,
          responsible: { status: "active", role: "owner" },
          permissions: token.permissions,
          live: true
        })
        assert.isNull(yield* accounts.tokenAccess(freshId(AutomationTokenId), now))
      })
    )

    it.effect("says that an automation token is over from its end on", () =>
      Effect.gen(function* () {
        const { accounts, access, token } = yield* givenToken
        assert.isTrue((yield* access)?.live)
        assert.isTrue((yield* accounts.tokenAccess(token.id, bound(token.expiresAt)))?.live)
        assert.isFalse((yield* accounts.tokenAccess(token.id, token.expiresAt))?.live)
      })
    )

    it.effect("shows the revocation of an automation token and the suspension of its organization directly", () =>
      Effect.gen(function* () {
        const { now, organization, access, token } = yield* givenToken
        assert.isTrue((yield* access)?.live)
        yield* setStatus(organization, "suspended")
        assert.strictEqual((yield* access)?.organizationStatus, "suspended")
        yield* (yield* AutomationTokens).revoke(token.id, now).pipe(transact, inside(organization))
        assert.isFalse((yield* access)?.live)
      })
    )

    it.effect("shows changes of the person responsible for an automation token directly", () =>
      Effect.gen(function* () {
        const members = yield* Members
        const { member, organization, access, user } = yield* givenToken
        const stands = Effect.map(access, (access) => access?.responsible)
        assert.deepStrictEqual(yield* stands, { status: "active", role: "owner" })
        yield* members.setRole(member.id, "viewer", null).pipe(transact, inside(organization))
        assert.deepStrictEqual(yield* stands, { status: "active", role: "viewer" })
        yield* transact((yield* Users).setStatus(user.id, "disabled"))
        assert.deepStrictEqual(yield* stands, { status: "disabled", role: "viewer" })
        yield* members.remove(member.id).pipe(transact, inside(organization))
        assert.deepStrictEqual(yield* stands, { status: "disabled", role: null })
      })
    )

    it.effect("shows a new responsible person of an automation token directly", () =>
      Effect.gen(function* () {
        const { now, organization, access, token } = yield* givenToken
        const adopter = yield* givenMember(organization, "admin")
        assert.notStrictEqual((yield* access)?.responsibleUserId, adopter.user.id)
        yield* (yield* AutomationTokens).adopt(token.id, adopter.user.id, now).pipe(transact, inside(organization))
        const { responsible, responsibleUserId } = (yield* access) ?? assert.fail("There is no token.")
        assert.deepStrictEqual([responsibleUserId, responsible.role], [adopter.user.id, "admin"])
      })
    )

    it.effect("ignores memberships elsewhere and invitations for a token's organization", () =>
      Effect.gen(function* () {
        const { member, now, organization, access, user } = yield* givenToken
        yield* (yield* Members).remove(member.id).pipe(transact, inside(organization))
        yield* givenMember(yield* givenOrganization(), "owner", user)
        yield* givenInvitation(organization, after(now, "7 days"), { email: user.email, role: "owner" })
        assert.isNull((yield* access)?.responsible.role)
      })
    )

    it.effect("finds an open invitation, and says whose it is", () =>
      Effect.gen(function* () {
        const accounts = yield* Accounts
        const now = yield* present
        const organization = yield* givenOrganization()
        const expiresAt = after(now, "7 days")
        const { digest, member } = yield* givenInvitation(organization, expiresAt)
        const expected = {
          organizationId: organization.id,
          memberId: member.id,
          email: member.email,
          delivery: "link",
          invitedBy: null
        } as const
        assert.deepStrictEqual({ ...(yield* accounts.openInvitation(digest, now)) }, expected)
        assert.deepStrictEqual({ ...(yield* accounts.openInvitation(digest, bound(expiresAt))) }, expected)
        assert.isNull(yield* accounts.openInvitation(freshText("digest"), now))
        const inviter = freshId(UserId)
        const mailed = yield* givenInvitation(organization, expiresAt, {}, "mail", inviter)
        const found = yield* accounts.openInvitation(mailed.digest, now)
        assert.deepStrictEqual([found?.delivery, found?.invitedBy], ["mail", inviter])
      })
    )

    it.effect(
      "finds no invitation that has expired, was spent or withdrawn, or leads into a suspended organization",
      () =>
        Effect.gen(function* () {
          const accounts = yield* Accounts
          const members = yield* Members
          const now = yield* present
          const expiresAt = after(now, "7 days")
          const organization = yield* givenOrganization()
          const [expired, spent, withdrawn] = [
            yield* givenInvitation(organization, expiresAt),
            yield* givenInvitation(organization, expiresAt),
            yield* givenInvitation(organization, expiresAt)
          ]
          const user = yield* givenUser({ email: spent.member.email })
          yield* members.join(spent.member.id, user.id, now).pipe(transact, inside(organization))
          yield* members.remove(withdrawn.member.id).pipe(transact, inside(organization))
          assert.isNull(yield* accounts.openInvitation(expired.digest, expiresAt))
          assert.isNull(yield* accounts.openInvitation(spent.digest, now))
          assert.isNull(yield* accounts.openInvitation(withdrawn.digest, now))
          assert.isNotNull(yield* accounts.openInvitation(expired.digest, now))
          yield* setStatus(organization, "suspended")
          assert.isNull(yield* accounts.openInvitation(expired.digest, now))
        })
    )
  }
}

export const accountsContract = runContract(accounts)
