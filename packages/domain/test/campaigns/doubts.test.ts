import { assert, describe } from "@effect/vitest"
import { type Organization, runLanes } from "@parley/domain/platform"
import { sendTask } from "@parley/domain/messaging"
import { type BroadcastId, layerBulkSender, pauseBroadcast, sendBroadcast } from "@parley/domain/campaigns"
import { asOperatorOf, MemoryChat } from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { test } from "../messaging/inbox/given.ts"
import { givenCampaign, givenFrozen, givenReader, listedAs, pass, readBroadcast } from "./given.ts"

const senders = Effect.provide(runLanes([sendTask], { name: "one", lookMillis: 1_000 }), layerBulkSender)

const whileSending = <A, E, R>(body: Effect.Effect<A, E, R>) => Effect.scoped(Effect.andThen(senders, body))

const send = (organization: Organization, id: BroadcastId) =>
  sendBroadcast({ id, ifVersion: null }).pipe(asOperatorOf(organization))

/** A broadcast to one contact without a reported result of the provider. */
const givenDoubt = Effect.fnUntraced(function* () {
  const campaign = yield* givenCampaign(1)
  const { contacts, id, organization } = campaign
  yield* (yield* MemoryChat.ChatScript).next({ kind: "in_doubt", taken: false }, contacts[0]?.phone ?? "")
  yield* send(organization, id)
  yield* pass(2)
  const { stats, status } = yield* readBroadcast(organization, id)
  assert.deepStrictEqual([status, stats.pending, stats.inFlight, stats.inDoubt], ["sending", 0, 0, 1])
  return campaign
})

const statusOf = (organization: Organization, id: BroadcastId) =>
  Effect.map(readBroadcast(organization, id), ({ pause, status }) => [status, pause?.reason ?? null])

/** Time after which a doubt no longer holds a broadcast open. */
const untilSettled = Effect.andThen(TestClock.adjust("16 minutes"), whileSending(pass(2)))

describe("a broadcast with in-doubt recipients only", () => {
  test("is not paused with its account, and completes", () =>
    Effect.gen(function* () {
      const { account, id, organization, template } = yield* whileSending(givenDoubt())
      const reader = yield* givenReader(organization)
      const other = yield* givenFrozen(organization, account, template, [listedAs(reader)])
      yield* (yield* MemoryChat.ChatScript).next(
        { kind: "refused", code: 9, remedy: "stop_account" },
        reader.phone ?? ""
      )
      yield* whileSending(Effect.andThen(send(organization, other.id), pass(2)))
      assert.deepStrictEqual(yield* statusOf(organization, id), ["sending", null])
      assert.deepStrictEqual(yield* statusOf(organization, other.id), ["paused", "account"])
      yield* untilSettled
      assert.deepStrictEqual(yield* statusOf(organization, id), ["completed", null])
      assert.deepStrictEqual(yield* statusOf(organization, other.id), ["paused", "account"])
    }))

  test("completes while a member has paused it", () =>
    Effect.gen(function* () {
      const { id, organization } = yield* whileSending(
        Effect.tap(givenDoubt(), ({ id, organization }) =>
          Effect.andThen(pauseBroadcast({ id }).pipe(asOperatorOf(organization), Effect.forkChild), pass(1))
        )
      )
      assert.deepStrictEqual(yield* statusOf(organization, id), ["paused", "user"])
      yield* untilSettled
      assert.deepStrictEqual(yield* statusOf(organization, id), ["completed", null])
      const { endReason, endedAt, stats } = yield* readBroadcast(organization, id)
      assert.deepStrictEqual([endReason, stats.inDoubt], [null, 1])
      assert.isNotNull(endedAt)
    }))
})

describe("a broadcast in the local time of contacts", () => {
  test("waits for the local time of the next zone and shows it", () =>
    whileSending(
      Effect.gen(function* () {
        const { account, organization, template } = yield* givenCampaign(0)
        const now = yield* DateTime.now
        const recipients = yield* Effect.forEach([0, 2], (hours) =>
          Effect.map(givenReader(organization), (reader) =>
            listedAs(reader, { dueAt: DateTime.add(now, { minutes: 1 + 60 * hours }) })
          )
        )
        const localAt = DateTime.formatIso(now).slice(0, 16)
        const schedule = { localAt, zone: "contact" } as const
        const { id } = yield* givenFrozen(organization, account, template, recipients, {
          schedule,
          status: "sending",
          startedAt: now
        })
        yield* send(
          organization,
          (yield* givenFrozen(organization, account, template, [recipients[0] ?? assert.fail()])).id
        )
        yield* pass(63)
        const { stats, waiting } = yield* readBroadcast(organization, id)
        assert.deepStrictEqual(
          [stats.sent, waiting],
          [1, { reason: "local_time", until: DateTime.add(now, { minutes: 121 }) }]
        )
      })
    ))
})
