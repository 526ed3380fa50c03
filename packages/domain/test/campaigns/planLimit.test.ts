import { assert, layer } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { getEntitlements, plans } from "@parley/domain/platform"
import { createBroadcast, RecipientReservations, reserveRecipients } from "@parley/domain/campaigns"
import { asOwnerOf, givenOrganization, TestKit } from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { tagOf } from "../tagOf.ts"

const { broadcastRecipientsPerMonth: max } = plans.free.limits

const newBroadcast = Effect.map(createBroadcast({ name: "Spring" }), ({ id }) => id)

const reserve = (amount: number) =>
  Effect.flatMap(newBroadcast, (id) => Effect.as(transact(reserveRecipients(id, amount)), id))

const shown = Effect.map(getEntitlements(), ({ limits }) => {
  const entry = limits.find(({ limit }) => limit === "broadcastRecipientsPerMonth")
  return [entry?.used, entry?.allowed, entry?.resetsAt && DateTime.formatIso(entry.resetsAt)]
})

layer(TestKit.layer)("the recipients of a month", (it) => {
  it.effect("are taken whole or not at all, are shown, and can be given back", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "free" })
      yield* TestClock.setTime(Date.parse("2026-03-31T23:59:59.999Z"))
      yield* Effect.gen(function* () {
        const april = "2026-04-01T00:00:00.000Z"
        assert.deepStrictEqual(yield* shown, [0, true, april])
        const first = yield* reserve(max - 1)
        const refused = yield* Effect.flip(reserve(2))
        assert.deepInclude(refused, { limit: "broadcastRecipientsPerMonth", current: max - 1, max })
        assert.deepStrictEqual(yield* shown, [max - 1, true, april])
        yield* reserve(1)
        assert.deepStrictEqual(yield* shown, [max, false, april])
        assert.strictEqual(yield* tagOf(reserve(1)), "PlanLimitReached")
        yield* reserve(0)
        yield* transact((yield* RecipientReservations).giveBack(first, 10))
        yield* reserve(10)

        yield* TestClock.adjust("1 millis")
        assert.deepStrictEqual(yield* shown, [0, true, "2026-05-01T00:00:00.000Z"])
        yield* reserve(max)
        yield* transact((yield* RecipientReservations).giveBack(first, 10))
        assert.deepStrictEqual((yield* shown)[0], max)
      }).pipe(asOwnerOf(organization))
    })
  )

  it.effect("never exceed the limit under concurrency", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "free" })
      yield* Effect.gen(function* () {
        const exits = yield* Effect.replicateEffect(Effect.exit(reserve(max / 4)), 10, { concurrency: "unbounded" })
        assert.strictEqual(exits.filter(({ _tag }) => _tag === "Success").length, 4)
      }).pipe(asOwnerOf(organization))
    })
  )
})
