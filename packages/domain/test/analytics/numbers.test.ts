import { assert, describe, it } from "@effect/vitest"
import { toPercentChange, toDurationFigures, mergeHistograms, middleOf, toRate, stepOf } from "@parley/domain/analytics"
import { Schema } from "effect"

const histogramOf = (seconds: ReadonlyArray<number>) =>
  mergeHistograms(seconds.map((each) => new Map([[stepOf(each), 1]])))

/** The result of a full scan with equal steps. */
const scanned = (seconds: ReadonlyArray<number>, tenths: number) => {
  const sorted = seconds.toSorted((one, other) => one - other)
  return middleOf(stepOf(sorted[Math.ceil((sorted.length * tenths) / 10) - 1] ?? 0))
}

const upTo = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))

const Seconds = Schema.Union([upTo(300), upTo(100_000), upTo(400_000_000)])

const Days = Schema.Array(Schema.Array(Seconds).check(Schema.isMaxLength(20))).check(Schema.isMaxLength(8))

describe("durations", () => {
  it.prop("are exact below 128 seconds, and within 0.8 % above", { seconds: Seconds }, ({ seconds }) => {
    const shown = middleOf(stepOf(seconds))
    if (seconds < 128) assert.strictEqual(shown, seconds)
    assert.isAtMost(Math.abs(shown - seconds), seconds * 0.008)
    assert.strictEqual(stepOf(shown), stepOf(seconds))
    assert.isAtMost(stepOf(seconds), stepOf(seconds + 1))
    assert.isAtMost(stepOf(seconds + 1) - stepOf(seconds), 1)
  })

  it("show the middle of their step", () => {
    assert.deepStrictEqual([187, 2_416, 2_400, 2_431].map(stepOf).map(middleOf), [187, 2_416, 2_416, 2_416])
  })

  it.prop("give the median and p90 of a full scan when the days are combined", { days: Days }, ({ days }) => {
    const all = days.flat()
    assert.deepStrictEqual(
      toDurationFigures(mergeHistograms(days.map(histogramOf))),
      all.length === 0
        ? { count: 0, medianSeconds: null, p90Seconds: null }
        : { count: all.length, medianSeconds: scanned(all, 5), p90Seconds: scanned(all, 9) }
    )
  })
})

describe("rates and changes", () => {
  it("are rounded half away from zero, and nothing of nothing", () => {
    assert.deepStrictEqual([toRate(5_011, 5_200), toRate(3_570, 5_011), toRate(298, 5_011)], [0.9637, 0.7124, 0.0595])
    assert.deepStrictEqual([toRate(0, 0), toRate(0, 3), toRate(1, 20_000)], [null, 0, 0.0001])
    assert.deepStrictEqual(
      [toPercentChange(3, 2), toPercentChange(2, 3), toPercentChange(2_001, 2_000)],
      [50, -33.3, 0.1]
    )
    assert.deepStrictEqual([toPercentChange(1_999, 2_000), toPercentChange(0.5, 0.4)], [-0.1, 25])
    assert.deepStrictEqual(
      [toPercentChange(5, -5), toPercentChange(1, 0), toPercentChange(1, null), toPercentChange(null, 1)],
      [200, null, null, null]
    )
  })
})
