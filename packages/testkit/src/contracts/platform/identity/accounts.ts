import { assert } from "@effect/vitest"
import { transact, UserId } from "@parley/domain/kernel"
import { Accounts, Members } from "@parley/domain/platform"
import { Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import {
  after,
  freshId,
  freshText,
  givenInvitation,
  givenMember,
  givenOrganization,
  givenUser,
  inside,
  plain,
  present
} from "../../given.ts"
import { setStatus, justBefore } from "./givenAccess.ts"

export const accounts: StorageContract = {
  port: "Accounts",
  promises: (it) => {
    it.effect("lists the organizations of a user by name, each with the role of the user", () =>
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

    it.effect("returns at most 100 organizations", () =>
      Effect.gen(function* () {
        const user = yield* givenUser()
        const membership = Effect.flatMap(givenOrganization({ name: freshText("Zeta") }), (organization) =>
          givenMember(organization, "viewer", user)
        )
        yield* Effect.replicateEffect(membership, 101, { discard: true })
        assert.lengthOf(yield* (yield* Accounts).affiliations(user.id), 100)
      })
    )

    it.effect("finds an open invitation with its member and inviter", () =>
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
        assert.deepStrictEqual({ ...(yield* accounts.openInvitation(digest, justBefore(expiresAt))) }, expected)
        assert.isNull(yield* accounts.openInvitation(freshText("digest"), now))
        const inviter = freshId(UserId)
        const mailed = yield* givenInvitation(organization, expiresAt, {}, "mail", inviter)
        const found = yield* accounts.openInvitation(mailed.digest, now)
        assert.deepStrictEqual([found?.delivery, found?.invitedBy], ["mail", inviter])
      })
    )

    it.effect("finds no expired, accepted or withdrawn invitation, and none of a suspended organization", () =>
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
