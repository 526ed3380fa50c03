import { assert, layer } from "@effect/vitest"
import type { Role, UserId } from "@parley/domain/kernel"
import {
  acceptInvitation,
  changeMemberRole,
  type Organization,
  removeMember,
  setUserStatus
} from "@parley/domain/platform"
import {
  asOperator,
  asOperatorOf,
  asOwnerOf,
  asPerson,
  givenMember,
  givenMembership,
  givenOrganization,
  inviteByLink,
  type Person,
  TestKit
} from "@parley/testkit"
import { Effect, Redacted } from "effect"
import { tagOf } from "../../tagOf.ts"

const memberOf = Effect.fnUntraced(function* (organization: Organization, role: Role) {
  const person = yield* givenMember(organization, role)
  return { person, memberId: person.member.id, userId: person.user.id }
})

interface Inviter {
  readonly organization: Organization
  readonly person: Person
  readonly memberId: Effect.Success<ReturnType<typeof memberOf>>["memberId"]
  readonly userId: UserId
}

const setRole = (role: Role) => (inviter: Inviter) =>
  changeMemberRole({ id: inviter.memberId, role, ifVersion: null }).pipe(asOwnerOf(inviter.organization))

const remove = (inviter: Inviter) => removeMember({ id: inviter.memberId }).pipe(asOwnerOf(inviter.organization))

const disable = (inviter: Inviter) => setUserStatus({ id: inviter.userId, status: "disabled" }).pipe(asOperator)

const comeBack = (role: Role) => (inviter: Inviter) =>
  Effect.andThen(remove(inviter), givenMembership(inviter.organization, role, inviter.person))

/** Inviters with their role, their later state, and whether the invitation still admits. */
const table = [
  { what: "nothing became of them", by: "admin", as: "admin", next: () => Effect.void, admits: true },
  { what: "an admin became an agent", by: "admin", as: "agent", next: setRole("agent"), admits: false },
  { what: "an admin became a viewer", by: "admin", as: "viewer", next: setRole("viewer"), admits: false },
  { what: "an admin became an owner", by: "admin", as: "admin", next: setRole("owner"), admits: true },
  { what: "an admin was removed", by: "admin", as: "admin", next: remove, admits: false },
  { what: "an admin was disabled", by: "admin", as: "agent", next: disable, admits: false },
  { what: "an admin came back as an agent", by: "admin", as: "agent", next: comeBack("agent"), admits: false },
  { what: "an admin came back as one", by: "admin", as: "agent", next: comeBack("admin"), admits: true },
  { what: "an owner became an admin: no owner", by: "owner", as: "owner", next: setRole("admin"), admits: false },
  { what: "an owner became an admin: an agent", by: "owner", as: "agent", next: setRole("admin"), admits: true }
] as const

layer(TestKit.layer)("an invitation is void when its inviter lost the permission to invite", (it) => {
  it.effect.each(table)("$what", ({ admits, as, by, next }) =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      const inviter = { organization, ...(yield* memberOf(organization, by)) }
      const { invitation, member } = yield* inviteByLink(`guest@${organization.id}.test`, as).pipe(
        asPerson(organization, inviter.person)
      )
      yield* next(inviter)
      const accept = acceptInvitation({
        token: invitation.token,
        name: "Guest",
        password: Redacted.make("a password of one's own"),
        address: "elsewhere"
      })
      assert.strictEqual(yield* tagOf(accept), admits ? "ok" : "InvitationInvalid")
      const left = yield* removeMember({ id: member.id }).pipe(asOwnerOf(organization), Effect.exit)
      assert.strictEqual(left._tag, "Success", "whoever looks after the members can take it back, or invite anew")
    })
  )

  it.effect("an operator's invitation depends on no member", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const { invitation } = yield* inviteByLink(`guest@${organization.id}.test`, "owner").pipe(
        asOperatorOf(organization)
      )
      const accept = acceptInvitation({
        token: invitation.token,
        name: "Guest",
        password: Redacted.make("a password of one's own"),
        address: "elsewhere"
      })
      assert.strictEqual(yield* tagOf(accept), "ok")
    })
  )
})
