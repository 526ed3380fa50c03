import { assert, describe, it } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { type Organization, setAvailability } from "@parley/domain/platform"
import {
  assignWaiting,
  autoAssign,
  type Conversation,
  getConversation,
  resolveConversation
} from "@parley/domain/messaging"
import { createSchedule, sendAwayReply } from "@parley/domain/automation"
import {
  asOperatorOf,
  givenContact,
  givenConversation,
  givenMember,
  givenMessage,
  givenOrganization
} from "@parley/testkit"
import { Deferred, Effect, Fiber } from "effect"
import { givenNodes, type Node, onAll } from "./support/nodes.ts"

const slow = 60_000

const anybody = { memberIds: null, sticky: false, whenNone: "queue" } as const

const given = (node: Node, capacity: number) =>
  Effect.gen(function* () {
    const organization = yield* givenOrganization({ plan: "growth" })
    const { member, user } = yield* givenMember(organization, "agent")
    yield* setAvailability({ id: member.id, status: "available", capacity }).pipe(asOperatorOf(organization))
    return { organization, member, user }
  }).pipe(Effect.provide(node))

const givenConversations = (node: Node, organization: Organization, count: number) =>
  Effect.replicateEffect(givenConversation(organization), count).pipe(Effect.provide(node))

const assign = (organization: Organization, { id }: Conversation) =>
  transact(autoAssign(id, anybody)).pipe(asOperatorOf(organization))

const assigneesOf = (organization: Organization, conversations: ReadonlyArray<Conversation>) =>
  Effect.forEach(conversations, ({ id }) => Effect.map(getConversation({ id }), ({ assigneeId }) => assigneeId)).pipe(
    asOperatorOf(organization)
  )

describe("conversations that are handed out on two processes", () => {
  it.effect(
    "stay within the member's capacity, and the others wait",
    () =>
      Effect.gen(function* () {
        const nodes = yield* givenNodes(2)
        const [first = assert.fail()] = nodes
        const { organization } = yield* given(first, 3)
        const conversations = yield* givenConversations(first, organization, 12)
        const outcomes = yield* onAll(nodes, 12, (index) => assign(organization, conversations[index] ?? assert.fail()))
        assert.lengthOf(
          outcomes.filter(({ kind }) => kind === "assigned"),
          3
        )
        assert.lengthOf(
          outcomes.filter(({ kind }) => kind === "queued"),
          9
        )
      }),
    slow
  )

  it.effect(
    "exclude members who are away by then",
    () =>
      Effect.gen(function* () {
        const [one = assert.fail(), other = assert.fail()] = yield* givenNodes(2)
        const { member, organization } = yield* given(one, 3)
        const [conversation = assert.fail()] = yield* givenConversations(one, organization, 1)
        const input = yield* Deferred.make<void>()
        const done = yield* Deferred.make<void>()
        const leaving = yield* setAvailability({ id: member.id, status: "away" }).pipe(
          Effect.andThen(Deferred.succeed(input, undefined)),
          Effect.andThen(Deferred.await(done)),
          transact,
          asOperatorOf(organization),
          Effect.provide(one),
          Effect.forkChild
        )
        yield* Deferred.await(input)
        const assigning = yield* assign(organization, conversation).pipe(Effect.provide(other), Effect.forkChild)
        yield* Deferred.succeed(done, undefined)
        yield* Fiber.join(leaving)
        const { kind } = yield* Fiber.join(assigning)
        const [assigneeId] = yield* assigneesOf(organization, [conversation]).pipe(Effect.provide(one))
        // The member read as available is taken before the assignment, so the members are read again.
        assert.deepStrictEqual([kind, assigneeId], ["queued", null])
      }),
    slow
  )

  it.effect(
    "in the queue are assigned once under any number of processes",
    () =>
      Effect.gen(function* () {
        const nodes = yield* givenNodes(2)
        const [first = assert.fail()] = nodes
        const { organization, user } = yield* given(first, 2)
        const conversations = yield* givenConversations(first, organization, 8)
        yield* Effect.forEach(conversations, (each) => assign(organization, each)).pipe(Effect.provide(first))
        for (const { id } of conversations.slice(0, 2)) {
          yield* resolveConversation({ id }).pipe(asOperatorOf(organization), Effect.provide(first))
        }
        yield* onAll(nodes, 4, () => assignWaiting)
        yield* Effect.provide(assignWaiting, first)
        const assignees = yield* assigneesOf(organization, conversations.slice(2)).pipe(Effect.provide(first))
        assert.deepStrictEqual(
          assignees.filter((assigneeId) => assigneeId !== null),
          [user.id, user.id]
        )
      }),
    slow
  )
})

describe("a contact who writes while it is closed", () => {
  it.effect(
    "publishes once for any number of conversations and processes",
    () =>
      Effect.gen(function* () {
        const nodes = yield* givenNodes(2)
        const [first = assert.fail()] = nodes
        const { organization, received, scheduleId } = yield* Effect.gen(function* () {
          const organization = yield* givenOrganization()
          const schedule = yield* createSchedule({ name: "Never", weekly: {} }).pipe(asOperatorOf(organization))
          const { id: contactId } = yield* givenContact(organization)
          const conversations = yield* Effect.replicateEffect(givenConversation(organization, { contactId }), 6)
          const received = yield* Effect.forEach(conversations, (conversation) =>
            Effect.map(givenMessage(organization, conversation), ({ id }) => ({
              conversationId: conversation.id,
              messageId: id
            }))
          )
          return { organization, received, scheduleId: schedule.id }
        }).pipe(Effect.provide(first))
        const sent: Array<string> = []
        const outcomes = yield* onAll(nodes, 6, (index) => {
          const each = received[index] ?? assert.fail()
          const send = Effect.sync(() => sent.push(each.messageId))
          return transact(sendAwayReply({ scheduleId, received: each }, send)).pipe(asOperatorOf(organization))
        })
        assert.lengthOf(sent, 1)
        assert.sameMembers(
          outcomes.map((outcome) => (outcome.kind === "sent" ? "sent" : outcome.because)),
          ["sent", ...Array.from({ length: 5 }, () => "told_already")]
        )
      }),
    slow
  )
})
