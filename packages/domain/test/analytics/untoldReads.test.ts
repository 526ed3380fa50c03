import { assert, describe, it } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { consumeLog, Organizations, runLanes, EventConsumerDirectory, EventConsumers } from "@parley/domain/platform"
import { sendTask } from "@parley/domain/messaging"
import { layerBulkSender, sendBroadcast } from "@parley/domain/campaigns"
import { linkStoreCustomer, listStoreCustomers, receiveCustomers, receiveOrders } from "@parley/domain/commerce"
import { RollupStore, AnalyticsRecords, checkAnalytics, countingEventConsumer } from "@parley/domain/analytics"
import { layerEventConsumers, type Ports, rewindEventConsumer } from "@parley/domain/composition"
import {
  applyReportedEvents,
  asOperatorOf,
  givenShop,
  MemoryChat,
  MemoryStores,
  type StoreScript,
  type ReportedEvent
} from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { catchUpBroadcasts } from "../../src/analytics/counting/countBroadcasts.ts"
import { givenCampaign, pass } from "../campaigns/given.ts"
import { customerRecord, orderRecord } from "../commerce/given.ts"
import { alone } from "../messaging/inbox/given.ts"

const test = <A, E>(name: string, body: () => Effect.Effect<A, E, Ports | MemoryChat.ChatScript | StoreScript>) =>
  it.effect(name, () => alone(Effect.provide(Effect.suspend(body), MemoryStores.layer, { local: true })))

const follow = Effect.gen(function* () {
  const consumer = (yield* EventConsumers).get(countingEventConsumer.name) ?? assert.fail()
  yield* Effect.repeat(consumeLog(consumer), { while: (again) => again !== null })
}).pipe(Effect.provide(layerEventConsumers))

/** Periodic work in addition to the log. */
const catchUp = Effect.gen(function* () {
  const { timezone } = yield* (yield* Organizations).current()
  const state = yield* (yield* RollupStore).lock(timezone)
  yield* catchUpBroadcasts(state, [state.version])
}).pipe(transact)

const whileSending = <A, E, R>(body: Effect.Effect<A, E, R>) =>
  Effect.scoped(
    Effect.andThen(Effect.provide(runLanes([sendTask], { name: "one", lookMillis: 1_000 }), layerBulkSender), body)
  )

const page = { limit: 100, cursor: null }
const anything = { storeConnectionId: null, contactId: null, updatedSince: null, q: null }

/** An unread broadcast; each of its later readers has a counted order. */
const givenOrders = Effect.fnUntraced(function* (readers: number) {
  const { account, contacts, id, organization } = yield* givenCampaign(readers)
  const within = asOperatorOf(organization)
  yield* (yield* EventConsumerDirectory).add([countingEventConsumer.name], yield* DateTime.now)
  yield* whileSending(Effect.andThen(within(sendBroadcast({ id, ifVersion: null })), pass(3)))
  const sentAt = yield* DateTime.now
  yield* TestClock.adjust("1 hour")
  const calls = yield* (yield* MemoryChat.ChatScript).sent
  const tell = (who: number, kind: "read" | "failed" | "reply") =>
    Effect.gen(function* () {
      const { message, providerMessageId } =
        calls.find((call) => call.message.to.value === contacts[who]?.phone) ?? assert.fail()
      const at = kind === "failed" ? yield* DateTime.now : DateTime.add(sentAt, { minutes: 5 })
      const input = { phoneId: account.externalPhoneId, at }
      const result: ReportedEvent =
        kind === "reply"
          ? {
              ...input,
              kind: "message",
              id: `wamid.reply.${who}`,
              from: { phone: message.to.value, chatUser: null, name: null },
              content: { kind: "text", text: "Please" },
              replyTo: providerMessageId,
              fromAdvertisement: false
            }
          : {
              ...input,
              kind: "receipt",
              id: providerMessageId,
              status: kind,
              to: { phone: message.to.value, chatUser: null },
              reference: message.reference,
              error: kind === "failed" ? { code: 131_026, reason: "No", remedy: "skip_recipient" } : null
            }
      yield* applyReportedEvents([result])
    })
  const store = yield* givenShop(organization)
  const now = yield* DateTime.now
  const customers = Effect.gen(function* () {
    const records = contacts.map((_, place) =>
      customerRecord({ externalId: `c${place}`, phones: [], email: null, updatedAt: now })
    )
    yield* receiveCustomers(store, records)
    const { data } = yield* listStoreCustomers({ ...anything, page })
    for (const { externalId, id: customerId } of data) {
      const contact = contacts[Number(externalId.slice(1))] ?? assert.fail()
      yield* linkStoreCustomer({ id: customerId, contactId: contact.id })
    }
  })
  const ordered = receiveOrders(
    store,
    contacts.map((_, place) =>
      orderRecord({
        externalId: `o${place}`,
        externalCustomerId: `c${place}`,
        placedAt: DateTime.add(sentAt, { minutes: 10 }),
        updatedAt: now
      })
    )
  )
  return { id, within, tell, ordered: Effect.andThen(customers, ordered) }
})

/** Number of orders with attribution to a broadcast. */
const creditedTo = Effect.fnUntraced(function* (id: string) {
  const rollups = yield* RollupStore
  const { version } = (yield* rollups.find()) ?? assert.fail()
  const days = yield* rollups.days(version, id, "1960-01-01", "2100-01-01")
  return days.reduce(
    (sum, { amount, figure }) => (figure.startsWith("commerce.attributedOrders") ? sum + amount : sum),
    0
  )
})

describe("orders of broadcast readers", () => {
  test("are counted with it also where it is read while the log is counted", () =>
    Effect.gen(function* () {
      const { id, ordered, tell, within } = yield* givenOrders(2)
      yield* within(Effect.andThen(ordered, follow))
      yield* within(tell(0, "read"))
      const ports = yield* Effect.context<Ports>()
      const records = yield* AnalyticsRecords
      let wasRead = false
      const racing: typeof records = {
        ...records,
        broadcasts: (ids, now) => {
          const isFirst = !wasRead
          wasRead = true
          const meanwhile = isFirst ? Effect.orDie(tell(1, "read")) : Effect.void
          return Effect.andThen(Effect.provideContext(meanwhile, ports), records.broadcasts(ids, now))
        }
      }
      yield* within(rewindEventConsumer({ name: countingEventConsumer.name, to: 0 }))
      yield* within(Effect.provideService(follow, AnalyticsRecords, racing))
      assert.isTrue(wasRead)
      yield* within(catchUp)
      assert.strictEqual(yield* within(creditedTo(id)), 2)
      assert.isEmpty((yield* within(checkAnalytics())).differences)
    }))

  test("are counted again with the broadcast after a later read", () =>
    Effect.gen(function* () {
      const moments = 6
      const { id, ordered, tell, within } = yield* givenOrders(moments)
      yield* within(Effect.andThen(ordered, follow))
      const ports = yield* Effect.context<Ports>()
      const rollups = yield* RollupStore
      for (let moment = 0; moment < moments; moment += 1) {
        let locked = 0
        const reading: typeof rollups = {
          ...rollups,
          // Each unit of work starts with it.
          lock: (timezone) =>
            Effect.suspend(() =>
              locked++ === moment
                ? Effect.andThen(
                    Effect.provideContext(Effect.orDie(Effect.andThen(tell(moment, "read"), catchUp)), ports),
                    rollups.lock(timezone)
                  )
                : rollups.lock(timezone)
            )
        }
        const { differences } = yield* within(Effect.provideService(checkAnalytics(), RollupStore, reading))
        assert.isEmpty(differences, `at the lock ${moment} of ${locked}`)
        if (locked <= moment) yield* within(Effect.andThen(tell(moment, "read"), catchUp))
      }
      assert.strictEqual(yield* within(creditedTo(id)), moments)
    }))

  test("lose the broadcast after the answered message failed", () =>
    Effect.gen(function* () {
      const { id, ordered, tell, within } = yield* givenOrders(1)
      yield* within(Effect.andThen(tell(0, "reply"), ordered))
      yield* TestClock.adjust("1 minute")
      yield* within(follow)
      assert.strictEqual(yield* within(creditedTo(id)), 1)
      yield* within(tell(0, "failed"))
      yield* TestClock.adjust("1 minute")
      yield* within(Effect.andThen(follow, catchUp))
      assert.strictEqual(yield* within(creditedTo(id)), 0)
      assert.isEmpty((yield* within(checkAnalytics())).differences)
    }))
})
