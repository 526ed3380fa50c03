import { assert, layer } from "@effect/vitest"
import { type CurrentActor, type CurrentOrganization, type Role, UserId } from "@parley/domain/kernel"
import {
  addMember,
  changeMemberRole,
  getMe,
  listMembers,
  type Member,
  Members,
  type Organization,
  removeMember
} from "@parley/domain/platform"
import type { Ports } from "@parley/domain/composition"
import {
  actingIn,
  actorOf,
  asAdminOf,
  asOperatorOf,
  asOwnerOf,
  asPerson,
  givenInvitation,
  givenMember,
  givenMembership,
  givenOrganization,
  givenUser,
  type PersonInPlace,
  TestKit
} from "@parley/testkit"
import { Effect } from "effect"
import { tagOf } from "../../tagOf.ts"

const roles: ReadonlyArray<Role> = ["owner", "admin", "agent", "viewer"]

const setRole = ({ id }: Member, role: Role, expected: number | null = null) =>
  changeMemberRole({ id, role, ifVersion: expected })

const pages = (organization: Organization, limit: number) =>
  Effect.gen(function* () {
    const seen: Array<ReadonlyArray<string>> = []
    let cursor: string | null = null
    do {
      const page: { readonly data: ReadonlyArray<Member>; readonly nextCursor: string | null } = yield* listMembers({
        page: {
          limit,
          cursor
        }
      })
      seen.push(page.data.map(({ id }) => id))
      cursor = page.nextCursor
    } while (cursor !== null)
    return seen
  }).pipe(asOperatorOf(organization))

layer(TestKit.layer)("the last owner", (it) => {
  it.effect("can neither take another role nor leave", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const owner = yield* givenMember(organization, "owner")
      yield* givenMember(organization, "admin")
      const asOwner = asPerson(organization, owner)
      for (const role of ["admin", "agent", "viewer"] as const) {
        assert.strictEqual(yield* tagOf(setRole(owner.member, role).pipe(asOwner)), "LastOwner")
      }
      assert.strictEqual(yield* tagOf(removeMember({ id: owner.member.id }).pipe(asOwner)), "LastOwner")
      assert.strictEqual(
        yield* tagOf(removeMember({ id: owner.member.id }).pipe(asOperatorOf(organization))),
        "LastOwner"
      )
      assert.strictEqual(yield* tagOf(setRole(owner.member, "owner").pipe(asOwner)), "ok")
    })
  )

  it.effect("is not the last owner while another has joined; invitations do not count", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "growth" })
      const owner = yield* givenMember(organization, "owner")
      const asOwner = asPerson(organization, owner)
      const { member: invited } = yield* givenInvitation(organization, `o@${organization.id}.test`, "owner")
      assert.strictEqual(yield* tagOf(removeMember({ id: owner.member.id }).pipe(asOwner)), "LastOwner")
      assert.strictEqual(yield* tagOf(setRole(owner.member, "viewer").pipe(asOwner)), "LastOwner")
      assert.strictEqual(yield* tagOf(removeMember({ id: invited.id }).pipe(asOwner)), "ok")
      const second = yield* givenMember(organization, "owner")
      assert.strictEqual(yield* tagOf(setRole(owner.member, "admin").pipe(asOwner)), "ok")
      assert.strictEqual(
        yield* tagOf(removeMember({ id: second.member.id }).pipe(asPerson(organization, second))),
        "LastOwner"
      )
    })
  )

  it.effect("stays when two owners change each other's role concurrently", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const [one, other] = [yield* givenMember(organization, "owner"), yield* givenMember(organization, "owner")]
      const [asOne, asOther] = [
        actingIn(organization, yield* actorOf(one, organization)),
        actingIn(organization, yield* actorOf(other, organization))
      ]
      const tags = yield* Effect.all(
        [tagOf(setRole(other.member, "viewer").pipe(asOne)), tagOf(setRole(one.member, "viewer").pipe(asOther))],
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(tags.toSorted(), ["LastOwner", "ok"])
    })
  )
})

layer(TestKit.layer)("the lock on members", (it) => {
  it.effect("keeps one owner when two owners leave concurrently on slow storage", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const real = yield* Members
      const slow = Members.of({ ...real, countOwners: () => Effect.tap(real.countOwners(), Effect.yieldNow) })
      const [one, other] = [yield* givenMember(organization, "owner"), yield* givenMember(organization, "owner")]
      const atOnce = (
        goes: (member: Member) => Effect.Effect<string, never, Ports | CurrentActor | CurrentOrganization>
      ) =>
        Effect.all([goes(one.member), goes(other.member)], { concurrency: "unbounded" }).pipe(
          Effect.provideService(Members, slow),
          asOperatorOf(organization)
        )
      assert.deepStrictEqual((yield* atOnce((member) => tagOf(setRole(member, "viewer")))).toSorted(), [
        "LastOwner",
        "ok"
      ])
      yield* setRole(one.member, "owner").pipe(asOperatorOf(organization))
      yield* setRole(other.member, "owner").pipe(asOperatorOf(organization))
      assert.deepStrictEqual((yield* atOnce(({ id }) => tagOf(removeMember({ id })))).toSorted(), ["LastOwner", "ok"])
    })
  )
})

layer(TestKit.layer)("roles", (it) => {
  it.effect("of owners are given, changed and taken by owners only", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "growth" })
      const owner = yield* givenMember(organization, "owner")
      yield* givenMember(organization, "owner")
      const agent = yield* givenMember(organization, "agent")
      const refusals = [
        setRole(owner.member, "admin"),
        setRole(owner.member, "owner"),
        setRole(agent.member, "owner"),
        removeMember({ id: owner.member.id })
      ]
      for (const refusal of refusals) {
        const error = yield* Effect.flip(refusal.pipe(asAdminOf(organization)))
        assert.strictEqual(error._tag === "PermissionDenied" ? error.permission : error._tag, "owners.manage")
      }
      assert.strictEqual(yield* tagOf(setRole(agent.member, "owner").pipe(asOwnerOf(organization))), "ok")
      assert.strictEqual(yield* tagOf(setRole(owner.member, "viewer").pipe(asOwnerOf(organization))), "ok")
    })
  )

  it.effect("of all others are given by admins too, to themselves as well", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "growth" })
      const admin = yield* givenMember(organization, "admin")
      const agent = yield* givenMember(organization, "agent")
      const asAdmin = asPerson(organization, admin)
      for (const role of ["viewer", "admin", "agent"] as const) {
        assert.strictEqual((yield* setRole(agent.member, role).pipe(asAdmin)).role, role)
      }
      assert.strictEqual(yield* tagOf(removeMember({ id: agent.member.id }).pipe(asAdmin)), "ok")
      assert.strictEqual(yield* tagOf(setRole(admin.member, "viewer").pipe(asAdmin)), "ok")
      assert.strictEqual(yield* tagOf(setRole(admin.member, "admin").pipe(asAdmin)), "PermissionDenied")
    })
  )

  it.effect("hold from the moment they are given, in that organization only", () =>
    Effect.gen(function* () {
      const [here, there] = [yield* givenOrganization(), yield* givenOrganization()]
      const person: PersonInPlace = yield* givenMember(here, "viewer")
      yield* givenMembership(there, "admin", person)
      const roleIn = (organization: Organization) =>
        Effect.map(actorOf(person, organization), (actor) => (actor.kind === "user" ? actor.role : null))
      assert.deepStrictEqual([yield* roleIn(here), yield* roleIn(there)], ["viewer", "admin"])
      yield* setRole(person.member, "agent").pipe(asOwnerOf(here))
      assert.deepStrictEqual([yield* roleIn(here), yield* roleIn(there)], ["agent", "admin"])
      const { membership } = yield* getMe().pipe(asPerson(here, person))
      assert.strictEqual(membership.role, "agent")
      assert.include(membership.permissions, "events.read")
      assert.notInclude(membership.permissions, "members.manage")
    })
  )

  it.effect("change at the expected version only, when one is expected", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const { member } = yield* givenMember(organization, "viewer")
      const after = yield* setRole(member, "agent", 1).pipe(asOwnerOf(organization))
      assert.strictEqual(after.version, 2)
      const conflict = yield* Effect.flip(setRole(member, "admin", 1).pipe(asOwnerOf(organization)))
      assert.strictEqual(conflict._tag === "VersionConflict" ? conflict.current : conflict._tag, 2)
      assert.strictEqual(yield* tagOf(setRole(member, "admin", 2).pipe(asOwnerOf(organization))), "ok")
    })
  )

  it.effect("end at the expected version only, when one is expected", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const { member } = yield* givenMember(organization, "viewer")
      const remove = (expected: number | null) =>
        removeMember({ id: member.id, ifVersion: expected }).pipe(asOwnerOf(organization))
      const conflict = yield* Effect.flip(remove(2))
      assert.strictEqual(conflict._tag === "VersionConflict" ? conflict.current : conflict._tag, 1)
      assert.strictEqual(yield* tagOf(remove(1)), "ok")
    })
  )

  it.effect("of another organization's members are out of reach", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
      const { member } = yield* givenMember(one, "viewer")
      for (const role of roles) {
        assert.strictEqual(yield* tagOf(setRole(member, role).pipe(asOwnerOf(other))), "NotFound")
      }
      assert.strictEqual(yield* tagOf(removeMember({ id: member.id }).pipe(asOwnerOf(other))), "NotFound")
    })
  )
})

layer(TestKit.layer)("addMember", (it) => {
  it.effect("adds a member directly, on a free seat", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "free" })
      const people = yield* Effect.replicateEffect(givenUser({ name: "Ada" }), 4)
      const added = yield* Effect.forEach(people, ({ user }) =>
        tagOf(addMember({ userId: user.id, role: "agent" }))
      ).pipe(asOperatorOf(organization))
      assert.deepStrictEqual(added, ["ok", "ok", "ok", "PlanLimitReached"])
    })
  )

  it.effect("refuses who is a member, or invited, or not there", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "growth" })
      const member = yield* givenMember(organization)
      const invited = yield* givenUser()
      yield* givenInvitation(organization, invited.user.email)
      const add = (id: UserId) => tagOf(addMember({ userId: id, role: "agent" })).pipe(asOperatorOf(organization))
      assert.strictEqual(yield* add(member.user.id), "MemberExists")
      assert.strictEqual(yield* add(invited.user.id), "MemberExists")
      assert.strictEqual(yield* add(UserId.make("01990000-0000-7000-8000-00000000dead")), "NotFound")
    })
  )
})

layer(TestKit.layer)("listMembers", (it) => {
  it.effect("gives every member once, in the order they came, however long the page", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "growth" })
      const added = yield* Effect.replicateEffect(givenMember(organization), 7)
      const expected = added.map(({ member }) => member.id)
      for (const [limit, sizes] of [
        [3, [3, 3, 1]],
        [7, [7]],
        [100, [7]],
        [1, [1, 1, 1, 1, 1, 1, 1]]
      ] as const) {
        const seen = yield* pages(organization, limit)
        assert.deepStrictEqual(seen.flat(), expected)
        assert.deepStrictEqual(
          seen.map(({ length }) => length),
          Array.from(sizes)
        )
      }
    })
  )

  it.effect("refuses cursors of other organizations, other lists and unknown origin", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
      yield* givenMember(one)
      yield* givenMember(one)
      const { nextCursor } = yield* listMembers({ page: { limit: 1, cursor: null } }).pipe(asOperatorOf(one))
      const read = (cursor: string | null) => tagOf(listMembers({ page: { limit: 1, cursor } }))
      assert.strictEqual(yield* read(nextCursor).pipe(asOperatorOf(one)), "ok")
      assert.strictEqual(yield* read(nextCursor).pipe(asOperatorOf(other)), "CursorInvalid")
      assert.strictEqual(yield* read(`${nextCursor}x`).pipe(asOperatorOf(one)), "CursorInvalid")
      assert.strictEqual(yield* read("").pipe(asOperatorOf(one)), "CursorInvalid")
    })
  )
})
