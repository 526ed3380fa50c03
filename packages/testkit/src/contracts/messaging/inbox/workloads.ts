import { assert } from "@effect/vitest"
import { transact, UserId } from "@parley/domain/kernel"
import { Availabilities, Availability, type Organization, Users } from "@parley/domain/platform"
import { type Workload, Workloads } from "@parley/domain/messaging"
import { Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { evening, givenContact, inNewOrganization, morning } from "../../crm/given.ts"
import { freshId, givenInvitation, givenMember, givenOrganization, inside } from "../../given.ts"
import { givenConversation, minutes } from "./given.ts"

const loadsIn = (organization: Organization) =>
  Effect.gen(function* () {
    const all = yield* (yield* Workloads).all()
    return new Map(all.map((each) => [each.userId, each]))
  }).pipe(inside(organization))

const recordAssigned = (...args: Parameters<Workloads["Service"]["recordAssigned"]>) =>
  Effect.flatMap(Workloads, (port) => transact(port.recordAssigned(...args)))

export const workloads: StorageContract = {
  port: "Workloads",
  promises: (it) => {
    it.effect("counts the open conversations of every active member", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const { member, user } = yield* givenMember(organization, "agent")
        const idle = yield* givenMember(organization, "viewer")
        const disabled = yield* givenMember(organization, "agent")
        yield* givenInvitation(organization, evening)
        yield* givenMember(yield* givenOrganization())
        yield* transact((yield* Users).setStatus(disabled.user.id, "disabled"))
        yield* Effect.gen(function* () {
          for (const status of ["open", "open", "pending", "snoozed", "resolved"] as const) {
            yield* givenConversation({ status, assigneeId: user.id })
          }
          yield* givenConversation()
          yield* transact((yield* Availabilities).save(member.id, new Availability({ status: "away", capacity: 3 })))
          yield* recordAssigned([user.id], morning)
        }).pipe(inside(organization))
        const loads = yield* loadsIn(organization)
        assert.strictEqual(loads.size, 2)
        const expected: Workload = {
          memberId: member.id,
          userId: user.id,
          role: "agent",
          availability: new Availability({ status: "away", capacity: 3 }),
          open: 2,
          lastAssignedAt: morning
        }
        assert.deepStrictEqual(loads.get(user.id), expected)
        const { member: other, user: viewer } = idle
        assert.deepStrictEqual(loads.get(viewer.id), {
          ...expected,
          memberId: other.id,
          userId: viewer.id,
          role: "viewer",
          availability: new Availability({}),
          open: 0,
          lastAssignedAt: null
        })
      })
    )

    it.effect("stores the time of the last assignment of a member until it is forgotten", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const [one, other] = [yield* givenMember(organization), yield* givenMember(organization)]
        const times = Effect.map(loadsIn(organization), (loads) =>
          [one, other].map(({ user }) => loads.get(user.id)?.lastAssignedAt)
        )
        yield* recordAssigned([one.user.id, other.user.id], evening).pipe(inside(organization))
        yield* recordAssigned([one.user.id], morning).pipe(inside(organization))
        assert.deepStrictEqual(yield* times, [evening, evening])
        yield* recordAssigned([other.user.id], minutes(6_000)).pipe(inside(organization))
        assert.deepStrictEqual(yield* times, [evening, minutes(6_000)])
        yield* transact((yield* Workloads).forget(other.user.id)).pipe(inside(organization))
        assert.deepStrictEqual(yield* times, [evening, null])
      })
    )

    it.effect("returns the last assignee of the contact, and none of another contact or organization", () =>
      Effect.gen(function* () {
        const port = yield* Workloads
        const [first, last] = [freshId(UserId), freshId(UserId)]
        const contactId = yield* inNewOrganization(
          Effect.gen(function* () {
            const { id: contactId } = yield* givenContact()
            assert.isNull(yield* port.lastOf(contactId))
            yield* givenConversation({ contactId, assigneeId: first, lastActivityAt: minutes(1) })
            yield* givenConversation({ contactId, assigneeId: last, lastActivityAt: minutes(3), status: "resolved" })
            yield* givenConversation({ contactId, assigneeId: first, lastActivityAt: minutes(2) })
            yield* givenConversation({ contactId, lastActivityAt: minutes(4) })
            yield* givenConversation({ assigneeId: first, lastActivityAt: minutes(5) })
            assert.strictEqual(yield* port.lastOf(contactId), last)
            return contactId
          })
        )
        yield* inNewOrganization(
          Effect.gen(function* () {
            assert.isNull(yield* port.lastOf(contactId))
          })
        )
      })
    )
  }
}

/** Checks an adapter against the contract of `Workloads`. */
export const workloadsContract = runContract(workloads)
