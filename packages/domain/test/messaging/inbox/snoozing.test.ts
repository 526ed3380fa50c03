import { assert } from "@effect/vitest"
import { LaneQueue, type Organization, shardCount } from "@parley/domain/platform"
import {
  changeConversations,
  Conversations,
  type ConversationId,
  getConversation,
  reopenConversation,
  snoozeConversation,
  snoozeTaskName,
  wakeSnoozed
} from "@parley/domain/messaging"
import type { Ports } from "@parley/domain/composition"
import { asOperatorOf, givenConversation, givenOrganization } from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { test } from "./given.ts"

const inMinutes = (minutes: number) => Effect.map(DateTime.now, (now) => DateTime.add(now, { minutes }))

const statusOf = (organization: Organization, id: ConversationId) =>
  Effect.map(getConversation({ id }), ({ status }) => status).pipe(asOperatorOf(organization))

/** When the next conversation is woken, of any organization. */
const nextWaking = Effect.flatMap(LaneQueue, (queue) =>
  queue.nextDue({ task: snoozeTaskName, shards: Array.from({ length: shardCount }, (_, shard) => shard), except: [] })
)

const snooze = (organization: Organization, id: ConversationId, minutes: number) =>
  Effect.flatMap(inMinutes(minutes), (until) => snoozeConversation({ id, until })).pipe(asOperatorOf(organization))

test("snoozes wake when the first is due, and no timer remains after the last", () =>
  Effect.gen(function* () {
    const organization = yield* givenOrganization()
    const [one, two, three] = [
      yield* givenConversation(organization),
      yield* givenConversation(organization),
      yield* givenConversation(organization)
    ]
    assert.isNull(yield* nextWaking)
    yield* snooze(organization, one.id, 20)
    assert.deepStrictEqual(yield* nextWaking, yield* inMinutes(20))
    yield* snooze(organization, two.id, 30)
    assert.deepStrictEqual(yield* nextWaking, yield* inMinutes(20))
    const until = yield* inMinutes(10)
    yield* changeConversations({ action: { type: "snooze", until }, ids: [two.id, three.id] }).pipe(
      asOperatorOf(organization)
    )
    assert.deepStrictEqual(yield* nextWaking, until)
    yield* reopenConversation({ id: three.id }).pipe(asOperatorOf(organization))
    yield* TestClock.adjust("10 minutes")
    yield* wakeSnoozed
    assert.deepStrictEqual(
      [yield* statusOf(organization, one.id), yield* statusOf(organization, two.id)],
      ["snoozed", "open"]
    )
    assert.deepStrictEqual(yield* nextWaking, yield* inMinutes(10))
    yield* reopenConversation({ id: one.id }).pipe(asOperatorOf(organization))
    yield* TestClock.adjust("10 minutes")
    yield* wakeSnoozed
    assert.isNull(yield* nextWaking)
  }))

test("a conversation whose snooze changes during the wake-up stays snoozed until the new time", () =>
  Effect.gen(function* () {
    const organization = yield* givenOrganization()
    const { id } = yield* givenConversation(organization)
    yield* snooze(organization, id, 5)
    yield* TestClock.adjust("5 minutes")
    const context = yield* Effect.context<Ports>()
    const conversations = yield* Conversations
    let isAnew = false
    const overtaken: Conversations["Service"] = {
      ...conversations,
      lock: Effect.fnUntraced(function* (ids) {
        if (!isAnew) {
          isAnew = true
          yield* Effect.provide(Effect.orDie(snooze(organization, id, 5)), context)
        }
        return yield* conversations.lock(ids)
      })
    }
    yield* Effect.provideService(wakeSnoozed, Conversations, overtaken)
    assert.strictEqual(yield* statusOf(organization, id), "snoozed")
    assert.deepStrictEqual(yield* nextWaking, yield* inMinutes(5))
    yield* TestClock.adjust("5 minutes")
    yield* wakeSnoozed
    assert.strictEqual(yield* statusOf(organization, id), "open")
  }))
