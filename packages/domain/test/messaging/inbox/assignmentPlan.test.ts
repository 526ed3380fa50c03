import { assert, describe, it } from "@effect/vitest"
import { Role, UserId } from "@parley/domain/kernel"
import { Availability, MemberId, permissionsOfRole } from "@parley/domain/platform"
import { ContactId } from "@parley/domain/crm"
import {
  byPriorityAndWait,
  prioritiesByUrgency,
  ConversationId,
  planAssignments,
  type WaitingConversation,
  type Workload
} from "@parley/domain/messaging"
import { among } from "@parley/testkit"
import { Arbitrary, DateTime, Schema } from "effect"

const most = 5

const wholes = (maximum: number) => Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum })))

const uuid = (kind: string, number: number) => `01990000-0000-7000-8000-${kind}${String(number).padStart(8, "0")}`

const minute = (minutes: number) => DateTime.add(DateTime.makeUnsafe("2026-11-23T08:00:00Z"), { minutes })

const orNever = (count: number) => Arbitrary.map(wholes(count), (drawn) => (drawn === 0 ? null : minute(drawn)))

const memberOf = (number: number) => MemberId.make(uuid("aaaa", number))
const userOf = (number: number) => UserId.make(uuid("bbbb", number))

const teams = Arbitrary.map(
  Arbitrary.array(
    Arbitrary.all({
      role: among(Role.literals),
      status: among(["available", "available", "away"] as const),
      capacity: wholes(3),
      open: wholes(4),
      lastAssignedAt: orNever(3)
    }),
    { maxLength: most }
  ),
  (drawn) =>
    drawn.map(({ capacity, lastAssignedAt, open, role, status }, number): Workload => ({
      memberId: memberOf(number),
      userId: userOf(number),
      role,
      availability: new Availability({ status, capacity: capacity + 1 }),
      open,
      lastAssignedAt
    }))
)

const queues = Arbitrary.map(
  Arbitrary.array(
    Arbitrary.all({
      priority: among(prioritiesByUrgency),
      waitingSince: orNever(3),
      since: wholes(3),
      members: Arbitrary.array(wholes(most), { maxLength: 3 }),
      sticky: among([true, false]),
      last: wholes(most)
    }),
    { maxLength: 12 }
  ),
  (drawn) =>
    drawn.map(({ last, members, priority, since, sticky, waitingSince }, number): WaitingConversation => ({
      conversationId: ConversationId.make(uuid("cccc", number)),
      contactId: ContactId.make(uuid("dddd", number)),
      priority,
      waitingSince,
      since: minute(since),
      memberIds: members.length === 0 ? null : members.map(memberOf),
      sticky,
      lastAssigneeId: last === most ? null : userOf(last),
      by: { kind: "system", id: "test" },
      causation: null
    }))
)

const now = minute(60)

const timeOf = (at: DateTime.Utc | null) => (at === null ? -Infinity : DateTime.toEpochMillis(at))

/** Replays a plan with the possible assignees of each conversation at that point. */
const replayed = (queue: ReadonlyArray<WaitingConversation>, team: ReadonlyArray<Workload>) => {
  const assigned = new Map(
    planAssignments(queue, team, now).map(({ assigneeId, conversation }) => [conversation.conversationId, assigneeId])
  )
  const loads = new Map(team.map((each) => [each.userId, { ...each }]))
  return queue.toSorted(byPriorityAndWait).map((conversation) => {
    const free = [...loads.values()].filter(
      ({ availability: { capacity, status }, memberId, open, role }) =>
        status === "available" &&
        open < capacity &&
        permissionsOfRole(role).has("conversations.manage") &&
        (conversation.memberIds?.includes(memberId) ?? true)
    )
    const assigneeId = assigned.get(conversation.conversationId) ?? null
    const candidates = free.map(({ lastAssignedAt, open, userId }) => ({ lastAssignedAt, open, userId }))
    const load = assigneeId === null ? undefined : loads.get(assigneeId)
    if (load !== undefined) loads.set(load.userId, { ...load, open: load.open + 1, lastAssignedAt: now })
    return { assigneeId, candidates, conversation }
  })
}

describe("handing out conversations", () => {
  it.prop(
    "assigns each conversation to a free member, and leaves one only without a free member",
    { queue: queues, team: teams },
    ({ queue, team }) => {
      for (const { assigneeId, candidates } of replayed(queue, team)) {
        if (assigneeId === null) assert.isEmpty(candidates)
        else {
          assert.include(
            candidates.map(({ userId }) => userId),
            assigneeId
          )
        }
      }
    }
  )

  it.prop("never exceeds the capacity of a member", { queue: queues, team: teams }, ({ queue, team }) => {
    const plan = planAssignments(queue, team, now)
    for (const { availability, open, userId } of team) {
      const got = plan.filter(({ assigneeId }) => assigneeId === userId).length
      assert.isTrue(got === 0 || open + got <= availability.capacity)
    }
  })

  it.prop(
    "prefers the previous assignee if requested and free, else the least loaded for the longest time",
    { queue: queues, team: teams },
    ({ queue, team }) => {
      for (const { assigneeId, candidates, conversation } of replayed(queue, team)) {
        const chosen = candidates.find(({ userId }) => userId === assigneeId)
        if (chosen === undefined) continue
        const last = candidates.find(({ userId }) => userId === conversation.lastAssigneeId)
        if (conversation.sticky && last !== undefined) {
          assert.strictEqual(assigneeId, last.userId)
        } else {
          for (const { lastAssignedAt, open } of candidates) {
            assert.isTrue(
              chosen.open < open || (chosen.open === open && timeOf(chosen.lastAssignedAt) <= timeOf(lastAssignedAt))
            )
          }
        }
      }
    }
  )

  it.prop("differs by at most one among equally loaded members", { count: wholes(30) }, ({ count }) => {
    const team = [0, 1, 2].map((number): Workload => ({
      memberId: memberOf(number),
      userId: userOf(number),
      role: "agent",
      availability: new Availability({}),
      open: 0,
      lastAssignedAt: null
    }))
    const queue = Array.from({ length: count }, (_, number): WaitingConversation => ({
      conversationId: ConversationId.make(uuid("cccc", number)),
      contactId: ContactId.make(uuid("dddd", number)),
      priority: "none",
      waitingSince: null,
      since: now,
      memberIds: null,
      sticky: false,
      lastAssigneeId: null,
      by: { kind: "system", id: "test" },
      causation: null
    }))
    const plan = planAssignments(queue, team, now)
    const shares = team.map(({ userId }) => plan.filter(({ assigneeId }) => assigneeId === userId).length)
    assert.isAtMost(Math.max(...shares) - Math.min(...shares), 1)
    assert.lengthOf(plan, count)
  })

  it("orders by priority, then by waiting time of the contact, then by waiting time for a member", () => {
    const [one, other, third, fourth] = [0, 1, 2, 3].map((number) => ({
      conversationId: ConversationId.make(uuid("cccc", number)),
      contactId: ContactId.make(uuid("dddd", number)),
      priority: number === 3 ? ("low" as const) : ("none" as const),
      waitingSince: number === 1 ? minute(5) : null,
      since: minute(9 - number),
      memberIds: null,
      sticky: false,
      lastAssigneeId: null,
      by: { kind: "system" as const, id: "test" },
      causation: null
    }))
    if (one === undefined || other === undefined || third === undefined || fourth === undefined) assert.fail()
    assert.deepStrictEqual([one, other, third, fourth].toSorted(byPriorityAndWait), [fourth, other, third, one])
  })
})
