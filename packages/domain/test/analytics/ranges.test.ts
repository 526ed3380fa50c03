import { assert, describe, it } from "@effect/vitest"
import { type RangeRequest, readHeatmap, readSeries } from "@parley/domain/analytics"
import { asOperatorOf, givenOrganization, TestKit } from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"

const now = DateTime.toEpochMillis(DateTime.makeUnsafe("2026-11-23T15:00:00Z"))

describe("a range of analytics", () => {
  it.effect("is refused where it lies outside of what can be counted, and says which end is wrong", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const within = asOperatorOf(yield* givenOrganization({ timezone: "Africa/Monrovia" }))
      const pointers = (range: RangeRequest) =>
        within(readSeries({ figures: ["conversations.opened"], by: "day", ...range })).pipe(
          Effect.map((): ReadonlyArray<string> => []),
          Effect.catchTag("ValidationFailed", ({ errors }) => Effect.succeed(errors.map(({ pointer }) => pointer)))
        )
      assert.deepStrictEqual(yield* pointers({ from: "2000-01-01", to: "2000-12-31" }), [])
      assert.deepStrictEqual(yield* pointers({ from: "2026-11-23", to: "2026-11-23" }), [])
      // No database has a year 0, and until 1972 clocks of this zone were 44.5 minutes behind UTC.
      for (const date of ["0000-01-01", "1970-01-01", "1999-12-31"]) {
        assert.deepStrictEqual(yield* pointers({ from: date, to: date }), ["/from"], date)
      }
      assert.deepStrictEqual(yield* pointers({ from: "2025-11-22", to: "2026-11-23" }), ["/from"])
      assert.deepStrictEqual(yield* pointers({ from: "2026-11-24", to: "2026-11-24" }), ["/to"])
      assert.deepStrictEqual(yield* pointers({ from: "2026-11-23", to: "2026-11-22" }), ["/from"])
      assert.deepStrictEqual(yield* pointers({ from: "2026-11-23" }), ["/to"])
      assert.deepStrictEqual(yield* pointers({ period: "7d", from: "2026-11-23" }), ["/period"])
      assert.deepStrictEqual(yield* pointers({}), ["/period"])
      const day = yield* within(readHeatmap({ figure: "conversations.opened", from: "2000-01-01", to: "2000-01-01" }))
      assert.strictEqual(day.occurrences.flat().filter((count) => count === 1).length, 24)
    }).pipe(Effect.provide(TestKit.layer))
  )
})
