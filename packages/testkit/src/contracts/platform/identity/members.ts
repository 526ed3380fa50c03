import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { type Member, MemberId, Members, type User, Users } from "@parley/domain/platform"
import { Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import {
  after,
  freshId,
  givenInvitation,
  givenMember,
  givenOrganization,
  givenUser,
  inside,
  newInvited,
  newMember,
  plain,
  present
} from "../../given.ts"

const insert = (member: Member) => Effect.flatMap(Members, (members) => transact(members.insert(member, null)))

const setRole = (id: MemberId, role: Member["role"], expected: number | null) =>
  Effect.flatMap(Members, (members) => transact(members.setRole(id, role, expected)))

const remove = (id: MemberId) => Effect.flatMap(Members, (members) => transact(members.remove(id)))

const join = (id: MemberId, user: User) =>
  Effect.gen(function* () {
    return yield* transact((yield* Members).join(id, user.id, yield* present))
  })

export const members: StorageContract = {
  port: "Members",
  promises: (it) => {
    it.effect("keeps one tenant's members out of another's sight", () =>
      Effect.gen(function* () {
        const members = yield* Members
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const { member, user } = yield* givenMember(one, "owner")
        const invited = yield* givenInvitation(one, after(yield* present, "7 days"))
        const stranger = yield* givenUser()
        yield* Effect.gen(function* () {
          assert.strictEqual((yield* Effect.flip(members.get(member.id)))._tag, "NotFound")
          assert.isNull(yield* members.findByUser(user.id))
          assert.isEmpty(yield* members.findByUsers([user.id]))
          assert.lengthOf(yield* members.list({ limit: 100, after: null }), 0)
          assert.lengthOf(yield* members.list({ limit: 100, after: [invited.member.id] }), 0)
          assert.strictEqual(yield* members.count(), 0)
          assert.strictEqual(yield* members.countOwners(), 0)
          assert.strictEqual((yield* Effect.flip(setRole(member.id, "viewer", null)))._tag, "NotFound")
          assert.strictEqual((yield* Effect.flip(setRole(member.id, "viewer", 1)))._tag, "NotFound")
          assert.strictEqual((yield* Effect.flip(join(invited.member.id, stranger)))._tag, "NotFound")
          assert.strictEqual((yield* Effect.flip(remove(member.id)))._tag, "NotFound")
        }).pipe(inside(other))
        yield* Effect.gen(function* () {
          assert.deepStrictEqual(plain.member(yield* members.get(member.id)), plain.member(member))
          assert.deepStrictEqual(plain.member(yield* members.get(invited.member.id)), plain.member(invited.member))
        }).pipe(inside(one))
      })
    )

    it.effect("refuses an e-mail address twice in one tenant, and takes it in another", () =>
      Effect.gen(function* () {
        const members = yield* Members
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const first = newInvited()
        yield* insert(first).pipe(inside(one))
        const error = yield* insert(newInvited("viewer", { email: first.email })).pipe(inside(one), Effect.flip)
        assert.deepStrictEqual([error._tag, error.memberId], ["MemberExists", first.id])
        assert.strictEqual(yield* members.count().pipe(inside(one)), 1)
        yield* insert(newInvited("viewer", { email: first.email })).pipe(inside(other))
      })
    )

    it.effect("refuses a person twice in one tenant, and takes them in another", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const { member, user } = yield* givenMember(one)
        const again = newMember(user, "viewer", { email: newInvited().email })
        const error = yield* insert(again).pipe(inside(one), Effect.flip)
        assert.deepStrictEqual([error._tag, error.memberId], ["MemberExists", member.id])
        yield* insert(newMember(user)).pipe(inside(other))
      })
    )

    it.effect("of many concurrent inserts with one email address one succeeds", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const { email } = newInvited()
        const exits = yield* Effect.replicateEffect(
          Effect.suspend(() => Effect.exit(insert(newInvited("agent", { email })))),
          10,
          { concurrency: "unbounded" }
        ).pipe(inside(organization))
        assert.strictEqual(exits.filter(({ _tag }) => _tag === "Success").length, 1)
      })
    )

    it.effect("a failed unit of work leaves nothing", () =>
      Effect.gen(function* () {
        const members = yield* Members
        const organization = yield* givenOrganization()
        const { member } = yield* givenMember(organization)
        const { member: leaver } = yield* givenMember(organization)
        const { member: invited } = yield* givenInvitation(organization, after(yield* present, "7 days"))
        const stranger = yield* givenUser()
        yield* insert(newInvited()).pipe(
          Effect.andThen(setRole(member.id, "owner", 1)),
          Effect.andThen(join(invited.id, stranger)),
          Effect.andThen(remove(leaver.id)),
          Effect.andThen(Effect.fail("refused")),
          transact,
          Effect.flip,
          inside(organization)
        )
        const left = yield* members.list({ limit: 100, after: null }).pipe(inside(organization))
        assert.deepStrictEqual(left.map(plain.member), [member, leaver, invited].map(plain.member))
      })
    )

    it.effect("finds a member by id and by user", () =>
      Effect.gen(function* () {
        const members = yield* Members
        const organization = yield* givenOrganization()
        const { member, user } = yield* givenMember(organization, "admin")
        yield* Effect.gen(function* () {
          const byUser = yield* members.findByUser(user.id)
          assert.deepStrictEqual(plain.member(yield* members.get(member.id)), plain.member(member))
          assert.deepStrictEqual(byUser && plain.member(byUser), plain.member(member))
          assert.deepStrictEqual((yield* members.findByUsers([user.id, (yield* givenUser()).id])).map(plain.member), [
            plain.member(member)
          ])
          assert.isEmpty(yield* members.findByUsers([]))
          assert.strictEqual((yield* Effect.flip(members.get(freshId(MemberId))))._tag, "NotFound")
        }).pipe(inside(organization))
      })
    )

    it.effect("names a member as the person is named by now", () =>
      Effect.gen(function* () {
        const members = yield* Members
        const organization = yield* givenOrganization()
        const { member, user } = yield* givenMember(organization)
        yield* transact((yield* Users).rename(user.id, "Grace Hopper"))
        yield* Effect.gen(function* () {
          const [listed] = yield* members.list({ limit: 1, after: null })
          const [found] = yield* members.findByUsers([user.id])
          const names = [yield* members.get(member.id), yield* members.findByUser(user.id), listed, found]
          assert.deepStrictEqual(
            names.map((seen) => seen?.name),
            ["Grace Hopper", "Grace Hopper", "Grace Hopper", "Grace Hopper"]
          )
        }).pipe(inside(organization))
      })
    )

    it.effect("counts members and invited people, and the owners who have joined", () =>
      Effect.gen(function* () {
        const members = yield* Members
        const organization = yield* givenOrganization()
        const counts = Effect.all([members.count(), members.countOwners()]).pipe(inside(organization))
        assert.deepStrictEqual(yield* counts, [0, 0])
        yield* givenMember(organization, "owner")
        yield* givenMember(organization, "owner")
        yield* givenMember(organization, "viewer")
        yield* givenInvitation(organization, after(yield* present, "7 days"), { role: "owner" })
        assert.deepStrictEqual(yield* counts, [4, 2])
      })
    )

    it.effect("gives a role, and raises the version by one", () =>
      Effect.gen(function* () {
        const members = yield* Members
        const organization = yield* givenOrganization()
        const { member } = yield* givenMember(organization, "viewer")
        yield* Effect.gen(function* () {
          const expected = { ...plain.member(member), role: "owner", version: 2 }
          assert.deepStrictEqual(plain.member(yield* setRole(member.id, "owner", 1)), expected)
          assert.deepStrictEqual(plain.member(yield* members.get(member.id)), expected)
          assert.strictEqual((yield* setRole(member.id, "agent", null)).version, 3)
        }).pipe(inside(organization))
      })
    )

    it.effect("refuses an outdated version and an unknown id", () =>
      Effect.gen(function* () {
        const members = yield* Members
        const organization = yield* givenOrganization()
        const { member } = yield* givenMember(organization, "viewer")
        yield* Effect.gen(function* () {
          yield* setRole(member.id, "agent", 1)
          for (const expected of [1, 3]) {
            const error = yield* Effect.flip(setRole(member.id, "owner", expected))
            assert.strictEqual(error._tag === "VersionConflict" ? error.current : error._tag, 2)
          }
          assert.strictEqual((yield* members.get(member.id)).role, "agent")
          assert.strictEqual((yield* Effect.flip(setRole(freshId(MemberId), "owner", 1)))._tag, "NotFound")
          assert.strictEqual((yield* Effect.flip(setRole(freshId(MemberId), "owner", null)))._tag, "NotFound")
        }).pipe(inside(organization))
      })
    )

    it.effect("makes an invited person a member, once", () =>
      Effect.gen(function* () {
        const members = yield* Members
        const now = yield* present
        const organization = yield* givenOrganization()
        const { member } = yield* givenInvitation(organization, after(now, "7 days"), { role: "admin" })
        const person = yield* givenUser({ email: member.email, name: "Katherine Johnson" })
        const expected = plain.member(
          newMember(person, "admin", { id: member.id, invitedAt: member.invitedAt, joinedAt: now, version: 2 })
        )
        yield* Effect.gen(function* () {
          assert.deepStrictEqual(plain.member(yield* join(member.id, person)), expected)
          assert.deepStrictEqual(plain.member(yield* members.get(member.id)), expected)
          assert.strictEqual((yield* Effect.flip(join(member.id, person)))._tag, "NotFound")
          assert.strictEqual((yield* Effect.flip(join(freshId(MemberId), person)))._tag, "NotFound")
        }).pipe(inside(organization))
      })
    )

    it.effect("only the first of many concurrent acceptances of an invitation succeeds", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const { member } = yield* givenInvitation(organization, after(yield* present, "7 days"))
        const people = yield* Effect.replicateEffect(givenUser(), 8)
        const exits = yield* Effect.forEach(people, (person) => Effect.exit(join(member.id, person)), {
          concurrency: "unbounded"
        }).pipe(inside(organization))
        assert.strictEqual(exits.filter(({ _tag }) => _tag === "Success").length, 1)
      })
    )

    it.effect("removes a member, who can be added again", () =>
      Effect.gen(function* () {
        const members = yield* Members
        const organization = yield* givenOrganization()
        const { member, user } = yield* givenMember(organization)
        yield* Effect.gen(function* () {
          yield* remove(member.id)
          assert.strictEqual((yield* Effect.flip(members.get(member.id)))._tag, "NotFound")
          assert.strictEqual((yield* Effect.flip(remove(member.id)))._tag, "NotFound")
          assert.strictEqual(yield* members.count(), 0)
          yield* insert(newMember(user))
        }).pipe(inside(organization))
      })
    )

    it.effect("lists the oldest first, page after page, while others come and go", () =>
      Effect.gen(function* () {
        const members = yield* Members
        const organization = yield* givenOrganization()
        const rows = yield* Effect.replicateEffect(givenMember(organization), 6)
        const [first, second, third, fourth, fifth, sixth] = rows.map(({ member }) => member.id)
        yield* Effect.gen(function* () {
          const one = yield* members.list({ limit: 2, after: null })
          assert.deepStrictEqual(
            one.map(({ id }) => id),
            [first, second]
          )
          if (second !== undefined) yield* remove(second)
          if (fourth !== undefined) yield* remove(fourth)
          const { member: later } = yield* givenMember(organization)
          const two = yield* members.list({ limit: 2, after: [second ?? ""] })
          const three = yield* members.list({ limit: 2, after: [two[1]?.id ?? ""] })
          assert.deepStrictEqual(
            [...two, ...three].map(({ id }) => id),
            [third, fifth, sixth, later.id]
          )
        }).pipe(inside(organization))
      })
    )
  }
}

export const membersContract = runContract(members)
