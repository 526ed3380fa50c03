import { assert } from "@effect/vitest"
import { transact, UserId } from "@parley/domain/kernel"
import { MemberId } from "@parley/domain/platform"
import {
  AssignmentQueue,
  type Conversation,
  ContactConversations,
  type ConversationId,
  type QueuedConversation
} from "@parley/domain/messaging"
import { DateTime, Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { evening, givenContact, idsOf, inNewOrganization, morning, sorted } from "../../crm/given.ts"
import { freshId, givenOrganization, inside } from "../../given.ts"
import { givenConversation, minutes } from "./given.ts"

const longAgo = DateTime.subtract(morning, { hours: 24 })
const anybody = freshId(MemberId)

const queuedFor = (
  { id: conversationId }: Conversation,
  overrides: Partial<QueuedConversation> = {}
): QueuedConversation => ({
  conversationId,
  memberIds: null,
  sticky: false,
  by: { kind: "user", id: freshId(UserId) },
  causation: null,
  since: morning,
  ...overrides
})

const put = (queued: QueuedConversation) => Effect.flatMap(AssignmentQueue, (port) => transact(port.put(queued)))
const remove = (ids: ReadonlyArray<ConversationId>) =>
  Effect.flatMap(AssignmentQueue, (port) => transact(port.remove(ids)))
const expire = (until: DateTime.Utc) => Effect.flatMap(AssignmentQueue, (port) => transact(port.expire(until)))

const givenQueued = Effect.fnUntraced(function* (
  overrides: Partial<Conversation> = {},
  wish: Partial<QueuedConversation> = {}
) {
  const conversation = yield* givenConversation(overrides)
  yield* put(queuedFor(conversation, wish))
  return conversation
})

const nextIds = (memberIds: ReadonlyArray<MemberId> = [anybody], limit = 10, after = longAgo) =>
  Effect.gen(function* () {
    const found = yield* (yield* AssignmentQueue).next(after, memberIds, limit)
    return found.map(({ conversationId }) => conversationId)
  })

export const assignmentQueue: StorageContract = {
  port: "AssignmentQueue",
  promises: (it) => {
    it.effect("keeps the first reason and time of a waiting conversation", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const port = yield* AssignmentQueue
          assert.isTrue(yield* port.isEmpty())
          assert.isNull(yield* port.oldest())
          const last = freshId(UserId)
          const conversation = yield* givenConversation({ priority: "high", waitingSince: minutes(3) })
          const { contactId } = conversation
          yield* givenConversation({ contactId, assigneeId: last, status: "resolved" })
          const first = queuedFor(conversation, { memberIds: [anybody] })
          yield* put(first)
          assert.isFalse(yield* port.isEmpty())
          assert.deepStrictEqual(yield* port.oldest(), morning)
          const waiting = { contactId, priority: "high", waitingSince: minutes(3) } as const
          assert.deepStrictEqual(yield* port.next(longAgo, [anybody], 10), [
            { ...first, ...waiting, lastAssigneeId: null }
          ])
          const root = { kind: "automation", id: freshId(UserId) } as const
          const causation = { depth: 1, root: 7, via: [root] }
          const again = queuedFor(conversation, { sticky: true, since: evening, causation })
          yield* put(again)
          assert.deepStrictEqual(yield* port.next(longAgo, [anybody], 10), [
            { ...again, ...waiting, since: morning, lastAssigneeId: last }
          ])
        })
      )
    )

    it.effect("lists by priority, then by waiting time for an answer, then for a member", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const none = yield* givenQueued({}, { since: minutes(5) })
          const earlier = yield* givenQueued({}, { since: minutes(4) })
          const low = yield* givenQueued({ priority: "low" })
          const urgent = yield* givenQueued({ priority: "urgent", waitingSince: minutes(9) })
          const longer = yield* givenQueued({ priority: "urgent", waitingSince: minutes(8) }, { since: minutes(9) })
          const medium = yield* givenQueued({ priority: "medium" })
          const high = yield* givenQueued({ priority: "high" })
          const order = idsOf([longer, urgent, high, medium, low, earlier, none])
          assert.deepStrictEqual(yield* nextIds(), order)
          assert.deepStrictEqual(yield* nextIds([anybody], 2), order.slice(0, 2))
        })
      )
    )

    it.effect("lists conversations that these members may get and that waited at most so long", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const [one, other, third] = [freshId(MemberId), freshId(MemberId), freshId(MemberId)]
          const both = yield* givenQueued({}, { memberIds: [one, other], since: minutes(1) })
          const open = yield* givenQueued({}, { since: minutes(2) })
          yield* givenQueued({}, { memberIds: [third], since: minutes(3) })
          assert.deepStrictEqual(yield* nextIds([other]), idsOf([both, open]))
          assert.deepStrictEqual(yield* nextIds([anybody]), idsOf([open]))
          assert.deepStrictEqual(yield* nextIds([other], 10, minutes(1)), idsOf([open]))
        })
      )
    )

    it.effect("skips assigned and resolved conversations, and deletes them and old ones", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const port = yield* AssignmentQueue
          yield* givenQueued({ assigneeId: freshId(UserId) })
          yield* givenQueued({ status: "resolved" })
          const snoozed = yield* givenQueued({ status: "snoozed" }, { since: minutes(1) })
          const pending = yield* givenQueued({ status: "pending" }, { since: minutes(2) })
          assert.deepStrictEqual(yield* nextIds(), idsOf([snoozed, pending]))
          yield* expire(longAgo)
          assert.deepStrictEqual(yield* port.oldest(), minutes(1))
          yield* expire(minutes(1))
          assert.deepStrictEqual(yield* nextIds(), idsOf([pending]))
          yield* expire(minutes(2))
          assert.isTrue(yield* port.isEmpty())
        })
      )
    )

    it.effect("deletes removed conversations and conversations of deleted contacts", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const contact = yield* givenContact()
          const [one, other] = [yield* givenQueued(), yield* givenQueued()]
          const gone = yield* givenQueued({ contactId: contact.id })
          assert.deepStrictEqual(sorted(yield* nextIds()), sorted(idsOf([one, other, gone])))
          yield* remove([one.id])
          yield* transact((yield* ContactConversations).forget([contact.id]))
          assert.deepStrictEqual(yield* nextIds(), [other.id])
        })
      )
    )

    it.effect("shows no organization what waits in another", () =>
      Effect.gen(function* () {
        const port = yield* AssignmentQueue
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const conversation = yield* givenQueued().pipe(inside(one))
        yield* Effect.gen(function* () {
          assert.isTrue(yield* port.isEmpty())
          assert.deepStrictEqual(yield* nextIds(), [])
          yield* remove([conversation.id])
          yield* expire(evening)
        }).pipe(inside(other))
        assert.deepStrictEqual(yield* nextIds().pipe(inside(one)), [conversation.id])
      })
    )
  }
}

/** Checks an adapter against the contract of `AssignmentQueue`. */
export const assignmentQueueContract = runContract(assignmentQueue)
