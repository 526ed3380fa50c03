import { assert, describe, it } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { consumeLog, EventConsumerDirectory, EventConsumers } from "@parley/domain/platform"
import { RollupStore, verifyNightly, countingEventConsumer, wholeOrganization } from "@parley/domain/analytics"
import { layerEventConsumers } from "@parley/domain/composition"
import { asOperatorOf, givenContact, givenOrganization, TestKit } from "@parley/testkit"
import { DateTime, Effect, Layer, Metric } from "effect"
import { TestClock } from "effect/testing"

const differing = Metric.counter("parley_analytics_differences_total", {
  description: "Number of daily figures that differed from a recount",
  incremental: true
})

const differences = Effect.map(Metric.value(differing), ({ count }) => Number(count))

describe("the rollups of an organization", () => {
  it.effect("are checked once a night, which reports differences and changes nothing", () =>
    Effect.gen(function* () {
      const at = (time: string) => TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe(time)))
      yield* at("2026-03-10T10:00:00Z")
      const organization = yield* givenOrganization({ timezone: "Europe/Berlin" })
      const within = asOperatorOf(organization)
      const rollups = yield* RollupStore
      const found = within(rollups.find())
      yield* within(verifyNightly)
      assert.isNull(yield* found)
      yield* (yield* EventConsumerDirectory).add([countingEventConsumer.name], yield* DateTime.now)
      yield* givenContact(organization)
      const consumer = (yield* EventConsumers).get(countingEventConsumer.name) ?? assert.fail()
      yield* Effect.repeat(within(consumeLog(consumer)), { while: (again) => again !== null })
      const before = yield* differences

      yield* within(verifyNightly)
      assert.isNull((yield* found)?.checkedAt ?? null)
      yield* at("2026-03-11T01:30:00Z")
      yield* within(verifyNightly)
      const checkedAt = (yield* found)?.checkedAt ?? null
      assert.strictEqual(checkedAt === null ? null : DateTime.formatIso(checkedAt), "2026-03-11T01:30:00.000Z")
      assert.strictEqual(yield* differences, before)

      const { version } = (yield* found) ?? assert.fail()
      const wrong = { scope: wholeOrganization, figure: "contacts.new", date: "2026-03-10", step: 0, amount: 5 }
      yield* within(transact(rollups.add(version, [], [wrong])))
      yield* at("2026-03-11T02:30:00Z")
      yield* within(verifyNightly)
      assert.strictEqual(yield* differences, before)
      yield* at("2026-03-12T01:10:00Z")
      yield* within(verifyNightly)
      assert.strictEqual(yield* differences, before + 1)
      const [day] = yield* within(rollups.days(version, wholeOrganization, "2026-03-10", "2026-03-10"))
      assert.strictEqual(day?.amount, 6)
    }).pipe(Effect.provide(Layer.provideMerge(layerEventConsumers, TestKit.layer)))
  )
})
