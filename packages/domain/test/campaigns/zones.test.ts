import { assert, describe } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { eventTasks, Lanes, layerEventConsumerRunner, layerWorkersOf, runLanes } from "@parley/domain/platform"
import { updateContact } from "@parley/domain/crm"
import { sendTask, sendTaskName } from "@parley/domain/messaging"
import { layerBulkSender, marketingAllowance, sendBroadcast, updateBroadcastSettings } from "@parley/domain/campaigns"
import { layerEventConsumers } from "@parley/domain/composition"
import { asOperatorOf, givenContact, MemoryChat } from "@parley/testkit"
import { DateTime, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { test } from "../messaging/inbox/given.ts"
import { givenCampaign, givenFrozen, listedAs, pass, readBroadcast } from "./given.ts"

/** 08:30 in Brasilia and on Noronha 09:30, 07:30 in Manaus and 06:30 in Acre: Brazil has four times. */
const brazilWakesUp = DateTime.makeUnsafe("2026-11-23T11:30:00Z")

const quietHours = { from: "21:00", to: "08:00" } as const

const senders = Effect.provide(runLanes([sendTask], { name: "one", lookMillis: 1_000 }), layerBulkSender)

const reactions = layerWorkersOf(eventTasks).pipe(
  Layer.provide(Layer.provide(layerEventConsumerRunner, layerEventConsumers))
)

const sendFor = (seconds: number) => Effect.scoped(Effect.andThen(senders, pass(seconds)))

const phones = MemoryChat.ChatScript.pipe(
  Effect.flatMap(({ sent }) => sent),
  Effect.map((sent) => sent.map(({ message }) => message.to.value).toSorted())
)

const given = Effect.gen(function* () {
  yield* TestClock.setTime(DateTime.toEpochMillis(brazilWakesUp))
  const campaign = yield* givenCampaign(0)
  const { organization } = campaign
  yield* updateBroadcastSettings({ quietHours, ifVersion: null }).pipe(asOperatorOf(organization))
  const contact = (phone: string, timezone?: string) =>
    givenContact(organization, {
      phone,
      ...(timezone !== undefined && { timezone }),
      marketing: { state: "subscribed", source: "form" }
    })
  const anywhere = yield* contact("+5511987650001")
  const awake = yield* contact("+5511987650002", "America/Sao_Paulo")
  const asleep = yield* contact("+5511987650003", "America/Rio_Branco")
  return { ...campaign, anywhere, awake, asleep }
})

describe("quiet hours of contacts without a time zone", () => {
  test("delay a broadcast during quiet hours in any zone of the country", () =>
    Effect.gen(function* () {
      const { account, anywhere, asleep, awake, organization, template } = yield* given
      const recipients = [anywhere, awake, asleep].map((contact) => listedAs(contact))
      const { id } = yield* givenFrozen(organization, account, template, recipients)
      yield* sendBroadcast({ id, ifVersion: null }).pipe(asOperatorOf(organization))
      yield* sendFor(5)
      assert.deepStrictEqual(yield* phones, ["+5511987650002"])
      const { waiting } = yield* readBroadcast(organization, id)
      assert.deepStrictEqual(waiting, { reason: "quiet_hours", until: DateTime.makeUnsafe("2026-11-23T13:00:00Z") })
      yield* TestClock.setTime(Date.UTC(2026, 10, 23, 13, 0, 1))
      yield* sendFor(5)
      assert.deepStrictEqual(yield* phones, ["+5511987650001", "+5511987650002", "+5511987650003"])
    }))

  test("end for a broadcast when the contact gets a time zone outside of them", () =>
    Effect.gen(function* () {
      const { account, anywhere, asleep, organization, template } = yield* given
      yield* Layer.build(reactions)
      const recipients = [anywhere, asleep].map((contact) => listedAs(contact))
      const { id } = yield* givenFrozen(organization, account, template, recipients)
      yield* sendBroadcast({ id, ifVersion: null }).pipe(asOperatorOf(organization))
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* senders
          yield* pass(5)
          assert.deepStrictEqual(yield* phones, [])
          yield* updateContact({ id: anywhere.id, timezone: "America/Noronha", ifVersion: null }).pipe(
            asOperatorOf(organization)
          )
          yield* pass(5)
          assert.deepStrictEqual(yield* phones, ["+5511987650001"])
        })
      )
    }).pipe(Effect.scoped))

  test("delay marketing of automations by the same rule", () =>
    Effect.gen(function* () {
      const { anywhere, asleep, awake, organization } = yield* given
      const rooms = yield* Effect.forEach([anywhere, awake, asleep], (contact) =>
        transact(marketingAllowance(contact)).pipe(asOperatorOf(organization))
      )
      const until = DateTime.makeUnsafe("2026-11-23T13:00:00Z")
      assert.deepStrictEqual(rooms, [{ kind: "quiet", until }, { kind: "free" }, { kind: "quiet", until }])
    }))
})

describe("the local time of a broadcast", () => {
  const schedule = { localAt: "2026-11-23T09:00", zone: "contact" } as const

  /** Readers in Sao Paulo, whose clocks show 09:00 in half an hour. */
  const begun = Effect.gen(function* () {
    yield* TestClock.setTime(DateTime.toEpochMillis(brazilWakesUp))
    yield* Layer.build(reactions)
    const { account, organization, template } = yield* givenCampaign(0)
    const reader = (phone: string) =>
      givenContact(organization, {
        phone,
        timezone: "America/Sao_Paulo",
        marketing: { state: "subscribed", source: "form" }
      })
    const [stays, moves] = [yield* reader("+5511987650001"), yield* reader("+5511987650002")]
    const dueAt = DateTime.makeUnsafe("2026-11-23T12:00:00Z")
    const recipients = [stays, moves].map((contact) => listedAs(contact, { dueAt }))
    const now = yield* DateTime.now
    yield* givenFrozen(organization, account, template, recipients, { status: "sending", startedAt: now, schedule })
    const open = Effect.flatMap(Lanes, (lanes) =>
      lanes.open({ task: sendTaskName, key: account.id, priority: "bulk", dueAt: now })
    )
    yield* transact(open).pipe(asOperatorOf(organization))
    yield* senders
    yield* pass(2)
    assert.deepStrictEqual(yield* phones, [])
    const move = (timezone: string) =>
      updateContact({ id: moves.id, timezone, ifVersion: null }).pipe(asOperatorOf(organization))
    return { move }
  })

  test("follows a contact who moves to the east", () =>
    Effect.gen(function* () {
      const { move } = yield* begun
      yield* move("America/Noronha")
      yield* pass(5)
      assert.deepStrictEqual(yield* phones, ["+5511987650002"])
    }).pipe(Effect.scoped))

  test("follows a contact who moves to the west", () =>
    Effect.gen(function* () {
      const { move } = yield* begun
      yield* move("America/Rio_Branco")
      yield* TestClock.setTime(Date.UTC(2026, 10, 23, 12, 0, 1))
      yield* pass(5)
      assert.deepStrictEqual(yield* phones, ["+5511987650001"])
      yield* TestClock.setTime(Date.UTC(2026, 10, 23, 14, 0, 1))
      yield* pass(5)
      assert.deepStrictEqual(yield* phones, ["+5511987650001", "+5511987650002"])
    }).pipe(Effect.scoped))
})
