import { assert, describe } from "@effect/vitest"
import {
  layerBulkSender,
  marketingAllowance,
  runLanes,
  sendBroadcast,
  sendTask,
  transact,
  updateBroadcastSettings
} from "@parley/domain"
import { asOperatorOf, givenContact, MemoryChat } from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { test } from "../messaging/inbox/given.ts"
import { givenCampaign, givenFrozen, listedAs, pass, readBroadcast } from "./given.ts"

/** 08:30 in Brasilia and on Noronha 09:30, 07:30 in Manaus and 06:30 in Acre: Brazil has four times. */
const brazilWakesUp = DateTime.makeUnsafe("2026-11-23T11:30:00Z")

const quietHours = { from: "21:00", to: "08:00" } as const

const senders = Effect.provide(runLanes([sendTask], { name: "one", lookMillis: 1_000 }), layerBulkSender)

const sendFor = (seconds: number) => Effect.scoped(Effect.andThen(senders, pass(seconds)))

const phones = MemoryChat.ChatScript.pipe(
  Effect.flatMap(({ sent }) => sent),
  Effect.map((sent) => sent.map(({ message }) => message.to.value).toSorted())
)

const given = Effect.gen(function* () {
  yield* TestClock.setTime(DateTime.toEpochMillis(brazilWakesUp))
  const campaign = yield* givenCampaign(0)
  const { organization } = campaign
  yield* updateBroadcastSettings({ quietHours }, null).pipe(asOperatorOf(organization))
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
      yield* sendBroadcast(id, {}, null).pipe(asOperatorOf(organization))
      yield* sendFor(5)
      assert.deepStrictEqual(yield* phones, ["+5511987650002"])
      const { waiting } = yield* readBroadcast(organization, id)
      assert.deepStrictEqual(waiting, { reason: "quiet_hours", until: DateTime.makeUnsafe("2026-11-23T13:00:00Z") })
      yield* TestClock.setTime(Date.UTC(2026, 10, 23, 13, 0, 1))
      yield* sendFor(5)
      assert.deepStrictEqual(yield* phones, ["+5511987650001", "+5511987650002", "+5511987650003"])
    }))

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
