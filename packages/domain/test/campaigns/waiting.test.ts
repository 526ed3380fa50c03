import { assert, describe } from "@effect/vitest"
import {
  eventTasks,
  layerEventConsumerRunner,
  layerWorkersOf,
  type Organization,
  runLanes
} from "@parley/domain/platform"
import { BulkSender, removeChatAccount, sendTask } from "@parley/domain/messaging"
import { type BroadcastId, layerBulkSender, pauseBroadcast, sendBroadcast } from "@parley/domain/campaigns"
import { layerEventConsumers } from "@parley/domain/composition"
import { asOperatorOf, MemoryChat } from "@parley/testkit"
import { DateTime, Effect, Layer } from "effect"
import { eventsIn, test } from "../messaging/inbox/given.ts"
import { givenCampaign, givenFrozen, givenReader, listedAs, pass, readBroadcast } from "./given.ts"

const senders = Effect.provide(runLanes([sendTask], { name: "one", lookMillis: 1_000 }), layerBulkSender)

const whileSending = <A, E, R>(body: Effect.Effect<A, E, R>) => Effect.scoped(Effect.andThen(senders, body))

const reactions = layerWorkersOf(eventTasks).pipe(
  Layer.provide(Layer.provide(layerEventConsumerRunner, layerEventConsumers))
)

const send = (organization: Organization, id: BroadcastId) =>
  sendBroadcast({ id, ifVersion: null }).pipe(asOperatorOf(organization))

const sent = Effect.map(
  Effect.flatMap(MemoryChat.ChatScript, ({ sent }) => sent),
  ({ length }) => length
)

/** Last published progress of the broadcast. */
const toldLast = (organization: Organization, id: BroadcastId) =>
  Effect.map(eventsIn(organization), (events) => {
    const result = events.flatMap((event) =>
      event.type === "broadcast.progressed" && event.broadcastId === id ? [event.stats] : []
    )
    return result.at(-1) ?? null
  })

describe("a broadcast that waits", () => {
  test("is checked at its end, and sends nothing afterwards", () =>
    Effect.gen(function* () {
      const endBy = DateTime.add(yield* DateTime.now, { minutes: 2 })
      const ending = yield* givenCampaign(10, { schedule: { endBy } }, { messagingLimit: "5" })
      yield* send(ending.organization, ending.id)
      yield* whileSending(pass(4))
      const { stats, waiting } = yield* readBroadcast(ending.organization, ending.id)
      assert.deepStrictEqual([waiting?.reason, stats.sent], ["daily_limit", 4])
      const due = yield* Effect.flatMap(BulkSender, (sender) => sender.nextDue(ending.account.id)).pipe(
        Effect.provide(layerBulkSender),
        asOperatorOf(ending.organization)
      )
      assert.deepStrictEqual(due, endBy)
      yield* whileSending(pass(125))
      const ended = yield* readBroadcast(ending.organization, ending.id)
      assert.deepStrictEqual([ended.status, ended.stats.neverSent], ["completed", 6])
    }))

  test("sends its first message directly, regardless of the next account check", () =>
    Effect.gen(function* () {
      const { id, organization } = yield* givenCampaign(3, { throttle: { perMinute: 1 } })
      yield* send(organization, id)
      yield* pass(8)
      yield* whileSending(pass(2))
      assert.strictEqual(yield* sent, 1)
      // The next process knows the time.
      yield* pass(30)
      yield* whileSending(pass(2))
      assert.strictEqual(yield* sent, 1)
      yield* whileSending(pass(30))
      assert.strictEqual(yield* sent, 2)
    }))

  test("of a small broadcast finishes soon during a large broadcast", () =>
    whileSending(
      Effect.gen(function* () {
        const { account, id, organization, template } = yield* givenCampaign(400, {}, { throughputPerSecond: 20 })
        yield* send(organization, id)
        yield* pass(2)
        const readers = yield* Effect.forEach(Array.from({ length: 20 }), () => givenReader(organization))
        const recipients = readers.map((each) => listedAs(each))
        const small = yield* givenFrozen(organization, account, template, recipients)
        yield* send(organization, small.id)
        yield* pass(4)
        assert.strictEqual((yield* readBroadcast(organization, small.id)).status, "completed")
      })
    ))

  test("has told how far it came when it is paused, and when it is done", () =>
    whileSending(
      Effect.gen(function* () {
        const { id, organization } = yield* givenCampaign(30, {}, { throughputPerSecond: 10 })
        yield* send(organization, id)
        yield* pass(1)
        yield* pauseBroadcast({ id }).pipe(asOperatorOf(organization), Effect.forkChild)
        yield* pass(2)
        const paused = yield* readBroadcast(organization, id)
        assert.strictEqual(paused.status, "paused")
        assert.deepStrictEqual(yield* toldLast(organization, id), { ...paused.stats })
        const done = yield* givenCampaign(5)
        yield* send(done.organization, done.id)
        yield* pass(2)
        const completed = yield* readBroadcast(done.organization, done.id)
        assert.strictEqual(completed.status, "completed")
        assert.deepStrictEqual(yield* toldLast(done.organization, done.id), { ...completed.stats })
      })
    ))

  test("ends when its account is removed, unless it is scheduled", () =>
    Effect.gen(function* () {
      yield* Layer.build(reactions)
      const { account, organization, template } = yield* givenCampaign(0)
      const recipients = [listedAs(yield* givenReader(organization))]
      const given = (fields: Parameters<typeof givenFrozen>[4]) =>
        givenFrozen(organization, account, template, recipients, fields)
      const now = yield* DateTime.now
      const sending = yield* given({ status: "sending", startedAt: now })
      const paused = yield* given({ status: "paused", startedAt: now, pause: { reason: "user", at: now, by: null } })
      const scheduled = yield* given({ status: "scheduled", schedule: { at: DateTime.add(now, { days: 1 }) } })
      yield* pass(1)
      yield* removeChatAccount({ id: account.id, ifVersion: null }).pipe(asOperatorOf(organization))
      yield* pass(2)
      const shown = yield* Effect.forEach([sending, paused, scheduled], ({ id }) => readBroadcast(organization, id))
      assert.deepStrictEqual(
        shown.map(({ endReason, failure, stats, status }) => [status, failure?.code ?? endReason, stats.neverSent]),
        [
          ["failed", "chat_account_removed", 1],
          ["cancelled", "account_removed", 1],
          ["scheduled", null, 0]
        ]
      )
    }).pipe(Effect.scoped))
})
