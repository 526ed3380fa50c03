import { assert, describe } from "@effect/vitest"
import {
  consumeLog,
  type Organization,
  runLanes,
  EventConsumerDirectory,
  EventConsumers
} from "@parley/domain/platform"
import { sendTask } from "@parley/domain/messaging"
import { layerBulkSender, sendBroadcast } from "@parley/domain/campaigns"
import {
  RollupStore,
  checkAnalytics,
  countingEventConsumer,
  rebuildAnalytics,
  wholeOrganization
} from "@parley/domain/analytics"
import { layerEventConsumers, rewindEventConsumer } from "@parley/domain/composition"
import { applyReportedEvents, asOperatorOf, MemoryChat, type ReportedEvent } from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { test } from "../messaging/inbox/given.ts"
import { givenCampaign, pass } from "../campaigns/given.ts"

const follow = Effect.gen(function* () {
  const consumer = (yield* EventConsumers).get(countingEventConsumer.name)
  assert.isDefined(consumer)
  if (consumer !== undefined) yield* Effect.repeat(consumeLog(consumer), { while: (again) => again !== null })
}).pipe(Effect.provide(layerEventConsumers))

/** Sum of all days in a scope. */
const figuresOf = Effect.fnUntraced(function* (organization: Organization, scope: string) {
  const rollups = yield* RollupStore
  const read = Effect.gen(function* () {
    const state = yield* rollups.find()
    return state === null ? [] : yield* rollups.days(state.version, scope, "1960-01-01", "2100-01-01")
  })
  const days = yield* read.pipe(asOperatorOf(organization))
  return Object.fromEntries(
    days
      .filter(({ figure }) => /^broadcasts|outbound|failed/u.test(figure))
      .map(({ amount, figure }) => [figure, amount])
  )
})

const whileSending = <A, E, R>(body: Effect.Effect<A, E, R>) =>
  Effect.scoped(
    Effect.andThen(Effect.provide(runLanes([sendTask], { name: "one", lookMillis: 1_000 }), layerBulkSender), body)
  )

describe("the recipients of a broadcast", () => {
  test("are counted at acceptance with their later results, also for late and repeated reports", () =>
    Effect.gen(function* () {
      const { account, contacts, id, organization } = yield* givenCampaign(6)
      const within = asOperatorOf(organization)
      yield* (yield* EventConsumerDirectory).add([countingEventConsumer.name], yield* DateTime.now)
      yield* whileSending(Effect.andThen(within(sendBroadcast({ id, ifVersion: null })), pass(3)))
      yield* within(follow)
      const sent = {
        "broadcasts.sent": 6,
        "messages.outbound.byAuthor.broadcast": 6,
        "messages.outbound.byKind.template": 6
      }
      assert.deepStrictEqual(yield* figuresOf(organization, wholeOrganization), { ...sent, "broadcasts.started": 1 })
      assert.deepStrictEqual(yield* figuresOf(organization, account.id), sent)
      assert.deepStrictEqual(yield* figuresOf(organization, id), sent)

      const calls = yield* (yield* MemoryChat.ChatScript).sent
      const tell = Effect.fnUntraced(function* (place: number, status: "delivered" | "read" | "failed") {
        const call = calls[place] ?? assert.fail()
        const result: ReportedEvent = {
          kind: "receipt",
          phoneId: account.externalPhoneId,
          id: call.providerMessageId,
          at: yield* DateTime.now,
          status,
          to: { phone: call.message.to.value, chatUser: null },
          reference: call.message.reference,
          error: status === "failed" ? { code: 131_026, reason: "No", remedy: "skip_recipient" } : null
        }
        yield* within(applyReportedEvents([result]))
      })
      // Three days later: a report now changes the day of sending.
      yield* TestClock.adjust("3 days")
      yield* tell(0, "read")
      for (const place of [1, 2]) yield* tell(place, "delivered")
      yield* tell(5, "failed")
      const phone = contacts[0]?.phone ?? assert.fail()
      const reply: ReportedEvent = {
        kind: "message",
        phoneId: account.externalPhoneId,
        id: "wamid.reply",
        at: yield* DateTime.now,
        from: { phone, chatUser: null, name: null },
        content: { kind: "text", text: "Please" },
        replyTo: calls.find(({ message }) => message.to.value === phone)?.providerMessageId ?? null,
        fromAdvertisement: false
      }
      yield* within(applyReportedEvents([reply]))
      yield* within(follow)
      assert.isEmpty((yield* within(checkAnalytics())).differences)
      const became = {
        "broadcasts.sent": 5,
        "broadcasts.delivered": 3,
        "broadcasts.read": 1,
        "broadcasts.replied": 1,
        "messages.outbound.byAuthor.broadcast": 5,
        "messages.outbound.byKind.template": 5,
        "messages.failed": 1
      }
      assert.deepStrictEqual(yield* figuresOf(organization, id), became)
      yield* within(rewindEventConsumer({ name: countingEventConsumer.name, to: 0 }))
      yield* within(follow)
      assert.deepStrictEqual(yield* figuresOf(organization, id), became)
      assert.isEmpty((yield* within(rebuildAnalytics())).differences)
      // Recipients are deleted later, but their counts stay.
      yield* TestClock.adjust("200 days")
      assert.isEmpty((yield* within(rebuildAnalytics())).differences)
      assert.deepStrictEqual(yield* figuresOf(organization, id), became)
    }))
})
