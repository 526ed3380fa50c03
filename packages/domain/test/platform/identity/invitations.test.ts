import { assert, layer } from "@effect/vitest"
import type { Role } from "@parley/domain/kernel"
import {
  acceptInvitation,
  getOrganization,
  inviteMember,
  listMembers,
  login,
  MemberId,
  type Organization,
  removeMember,
  setUserStatus
} from "@parley/domain/platform"
import {
  asAdminOf,
  asOperator,
  asOperatorOf,
  asOwnerOf,
  asPerson,
  everybodysPassword,
  givenOrganization,
  givenUser,
  inviteByLink,
  TestKit
} from "@parley/testkit"
import { DateTime, Duration, Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { tagOf } from "../../tagOf.ts"

const password = Redacted.make("chosen by the invited person")

const invite = (organization: Organization, email: string, role: Role = "agent") =>
  inviteByLink(email, role).pipe(asOwnerOf(organization))

const accept = (token: Redacted.Redacted, using = password) =>
  acceptInvitation({ token, name: "Grace Hopper", password: using, address: "somewhere" })

const members = (organization: Organization) =>
  listMembers({ page: { limit: 100, cursor: null } }).pipe(
    asOperatorOf(organization),
    Effect.map(({ data }) => data)
  )

layer(TestKit.layer)("invitations", (it) => {
  it.effect("make a place that waits, for seven days", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const now = yield* DateTime.now
      const { invitation, member } = yield* invite(organization, "grace@people.test", "admin")
      assert.deepStrictEqual(
        [member.status, member.role, member.userId, member.name, member.joinedAt],
        ["invited", "admin", null, null, null]
      )
      assert.strictEqual(
        DateTime.toEpochMillis(invitation.expiresAt) - DateTime.toEpochMillis(now),
        Duration.toMillis(Duration.days(7))
      )
      assert.include(
        (yield* members(organization)).map(({ id }) => id),
        member.id
      )
    })
  )

  it.effect("are accepted by a new person with a new account, which can work", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const email = `newcomer@${organization.id}.test`
      const { invitation, member } = yield* invite(organization, email)
      const accepted = yield* accept(invitation.token)
      assert.deepStrictEqual(
        [accepted.user.email, accepted.user.name, accepted.member.id, accepted.member.status, accepted.member.name],
        [email, "Grace Hopper", member.id, "active", "Grace Hopper"]
      )
      assert.strictEqual(accepted.organizationId, organization.id)
      const { affiliations } = yield* login({ email, password, organizationId: organization.id, address: "somewhere" })
      assert.deepStrictEqual(
        affiliations.map(({ role }) => role),
        ["agent"]
      )
      const seen = yield* getOrganization().pipe(asPerson(organization, { user: accepted.user, password }))
      assert.strictEqual(seen.id, organization.id)
    })
  )

  it.effect("are accepted with the password of an existing account, which stays unchanged", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const person = yield* givenUser({ name: "Ada" })
      const { invitation } = yield* invite(organization, person.user.email, "viewer")
      const accepted = yield* accept(invitation.token, person.password)
      assert.deepStrictEqual([accepted.user.id, accepted.user.name], [person.user.id, "Ada"])
      assert.deepStrictEqual([accepted.member.userId, accepted.member.name], [person.user.id, "Ada"])
    })
  )

  it.effect("are refused with a wrong password of an existing account, and stay open", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const person = yield* givenUser()
      const { invitation } = yield* invite(organization, person.user.email)
      assert.strictEqual(yield* tagOf(accept(invitation.token)), "InvalidCredentials")
      assert.strictEqual(yield* tagOf(accept(invitation.token, person.password)), "ok")
    })
  )

  it.effect("are refused to disabled users", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const person = yield* givenUser()
      const { invitation } = yield* invite(organization, person.user.email)
      yield* asOperator(setUserStatus({ id: person.user.id, status: "disabled" }))
      assert.strictEqual(yield* tagOf(accept(invitation.token, person.password)), "InvalidCredentials")
    })
  )

  it.effect("count wrong passwords like failed logins", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const person = yield* givenUser()
      const { invitation } = yield* invite(organization, person.user.email)
      const tries = yield* Effect.replicateEffect(tagOf(accept(invitation.token)), 6)
      assert.deepStrictEqual(tries.slice(4), ["InvalidCredentials", "LoginThrottled"])
      assert.strictEqual(yield* tagOf(accept(invitation.token, person.password)), "LoginThrottled")
    })
  )

  it.effect("do not count success: a correct password is never throttled", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
      const person = yield* givenUser()
      const [first, second] = [yield* invite(one, person.user.email), yield* invite(other, person.user.email)]
      yield* Effect.replicateEffect(tagOf(accept(first.invitation.token)), 4)
      yield* accept(first.invitation.token, person.password)
      const tries = yield* Effect.replicateEffect(tagOf(accept(second.invitation.token)), 4)
      // One is left of a stranger's five, and two more to the address that is known by now.
      assert.deepStrictEqual(tries, [...Array.from({ length: 3 }, () => "InvalidCredentials"), "LoginThrottled"])
    })
  )

  it.effect("work once under concurrency", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const { invitation } = yield* invite(organization, `once@${organization.id}.test`)
      const tags = yield* Effect.replicateEffect(
        Effect.suspend(() => tagOf(accept(invitation.token))),
        20,
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(tags.toSorted(), [...Array.from({ length: 19 }, () => "InvitationInvalid"), "ok"])
      assert.strictEqual(yield* tagOf(accept(invitation.token)), "InvitationInvalid")
    })
  )

  it.effect("are over after seven days, and not before", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "growth" })
      const [late, intime] = [
        yield* invite(organization, `late@${organization.id}.test`),
        yield* invite(organization, `intime@${organization.id}.test`)
      ]
      yield* TestClock.adjust("7 days")
      assert.strictEqual(yield* tagOf(accept(late.invitation.token)), "InvitationInvalid")
      const again = yield* invite(organization, `again@${organization.id}.test`)
      yield* TestClock.adjust(Duration.toMillis(Duration.days(7)) - 1)
      assert.strictEqual(yield* tagOf(accept(again.invitation.token)), "ok")
      assert.strictEqual(yield* tagOf(accept(intime.invitation.token)), "InvitationInvalid")
    })
  )

  it.effect("can be withdrawn, after which the person can be invited again", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const email = `withdrawn@${organization.id}.test`
      const first = yield* invite(organization, email)
      yield* removeMember({ id: first.member.id }).pipe(asOwnerOf(organization))
      assert.strictEqual(yield* tagOf(accept(first.invitation.token)), "InvitationInvalid")
      const second = yield* invite(organization, email)
      assert.strictEqual(yield* tagOf(accept(second.invitation.token)), "ok")
    })
  )

  it.effect("are refused for a token that is none", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* tagOf(accept(Redacted.make("nothing"))), "InvitationInvalid")
    })
  )

  it.effect("are one per person: invited persons and members cannot be invited again", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const email = `twice@${organization.id}.test`
      const { invitation, member } = yield* invite(organization, email)
      const refusal = yield* Effect.flip(invite(organization, email))
      assert.strictEqual(refusal._tag === "MemberExists" ? refusal.memberId : refusal._tag, member.id)
      yield* accept(invitation.token)
      assert.strictEqual(yield* tagOf(invite(organization, email)), "MemberExists")
      assert.strictEqual(yield* tagOf(invite(yield* givenOrganization(), email)), "ok")
    })
  )

  it.effect("take a seat from the moment they are sent", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "free" })
      yield* invite(organization, `second@${organization.id}.test`)
      const third = yield* invite(organization, `third@${organization.id}.test`)
      const refusal = yield* Effect.flip(invite(organization, `fourth@${organization.id}.test`))
      if (refusal._tag !== "PlanLimitReached") return assert.fail(refusal._tag)
      assert.deepStrictEqual([refusal.limit, refusal.current, refusal.max], ["seats", 3, 3])
      yield* removeMember({ id: third.member.id }).pipe(asOwnerOf(organization))
      assert.strictEqual(yield* tagOf(invite(organization, `fourth@${organization.id}.test`)), "ok")
    })
  )

  it.effect.each([
    ["free", 3],
    ["growth", 15]
  ] as const)("never exceed the seats when 200 are sent concurrently on the plan %s", ([plan, seats]) =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan })
      const tags = yield* Effect.forEach(
        Array.from({ length: 200 }, (_, index) => `p${index}@${organization.id}.test`),
        (email) => tagOf(inviteMember({ email, role: "agent" })),
        { concurrency: "unbounded" }
      ).pipe(asOwnerOf(organization))
      assert.strictEqual(tags.filter((tag) => tag === "ok").length, seats - 1)
      assert.strictEqual(tags.filter((tag) => tag === "PlanLimitReached").length, 201 - seats)
      assert.lengthOf(yield* members(organization), seats)
    })
  )

  it.effect("to be an owner come from owners only", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "growth" })
      const asOwner = inviteMember({ email: `o@${organization.id}.test`, role: "owner" })
      const refusal = yield* Effect.flip(asOwner.pipe(asAdminOf(organization)))
      assert.strictEqual(refusal._tag === "PermissionDenied" ? refusal.permission : refusal._tag, "owners.manage")
      assert.strictEqual(yield* tagOf(asOwner.pipe(asOwnerOf(organization))), "ok")
    })
  )

  it.effect("that are not there cannot be withdrawn", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const nothing = MemberId.make("01990000-0000-7000-8000-00000000dead")
      assert.strictEqual(yield* tagOf(removeMember({ id: nothing }).pipe(asOwnerOf(organization))), "NotFound")
    })
  )

  it.effect("that one organization sent, another can neither see nor withdraw", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
      const { invitation, member } = yield* invite(one, `mine@${one.id}.test`)
      assert.strictEqual(yield* tagOf(removeMember({ id: member.id }).pipe(asOwnerOf(other))), "NotFound")
      assert.notInclude(
        (yield* members(other)).map(({ id }) => id),
        member.id
      )
      assert.strictEqual(yield* tagOf(accept(invitation.token, everybodysPassword)), "ok")
    })
  )
})
