import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  addUploadSample,
  emptyUploadRate,
  isSlow,
  isTooSlow,
  type UploadRate,
  type UploadSample
} from "../src/server/uploadRate.ts"

const rule = { minBytesPerSecond: 64_000, windowMillis: 60_000 }

const rateOf = (samples: ReadonlyArray<UploadSample>): UploadRate =>
  samples.reduce<UploadRate>((rate, sample) => addUploadSample(rule, rate, sample), emptyUploadRate)

const at = (bytesPerSecond: number, seconds: number): ReadonlyArray<UploadSample> =>
  Array.from({ length: seconds }, () => ({ millis: 1_000, bytes: bytesPerSecond }))

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

const Samples = Schema.Array(Schema.Struct({ millis: between(0, 2_000), bytes: between(0, 500_000) })).check(
  Schema.isMaxLength(200)
)

describe("the rate of an upload", () => {
  it("is evaluated after a full window", () => {
    assert.isFalse(isTooSlow(rule, rateOf(at(1, 59))))
    assert.isTrue(isTooSlow(rule, rateOf(at(1, 60))))
    assert.isFalse(isTooSlow(rule, rateOf(at(64_000, 600))))
    assert.isTrue(isTooSlow(rule, rateOf(at(63_999, 60))))
  })

  it("is measured over any window, not over the whole upload", () => {
    assert.isFalse(isTooSlow(rule, rateOf([...at(10_000_000, 60), ...at(0, 59)])))
    assert.isTrue(isTooSlow(rule, rateOf([...at(10_000_000, 60), ...at(0, 60)])))
  })

  it("excludes the time when the server reads nothing", () => {
    const paused = Array.from({ length: 600 }, () => ({ millis: 0, bytes: 0 }))
    assert.isFalse(isTooSlow(rule, rateOf([...at(64_000, 30), ...paused, ...at(64_000, 30)])))
  })

  it("is slow below four times the minimum, after some time", () => {
    assert.isFalse(isSlow(rule, rateOf(at(1, 9)), 10_000))
    assert.isTrue(isSlow(rule, rateOf(at(255_999, 10)), 10_000))
    assert.isFalse(isSlow(rule, rateOf(at(256_000, 10)), 10_000))
  })

  it.prop("stores correct sums, and only the samples that a window needs", [Samples], ([samples]) => {
    const { bytes, millis, samples: kept } = rateOf(samples)
    const sum = (of: (sample: UploadSample) => number, all = kept) => all.reduce((total, one) => total + of(one), 0)
    assert.deepStrictEqual([bytes, millis], [sum((one) => one.bytes), sum((one) => one.millis)])
    assert.deepStrictEqual(kept, samples.slice(samples.length - kept.length))
    const whole = sum((one) => one.millis, samples)
    assert.isAtLeast(millis, Math.min(whole, rule.windowMillis))
    const [first] = kept
    if (first !== undefined && kept.length < samples.length)
      assert.isBelow(millis - first.millis, rule.windowMillis + 1)
  })

  it.prop("never reports an upload at the minimum rate, for any distribution of its bytes", [Samples], ([samples]) => {
    const steady = samples.map(({ bytes, millis }) => ({ millis, bytes: bytes + Math.ceil(millis * 64) }))
    for (let end = 1; end <= steady.length; end += 1) assert.isFalse(isTooSlow(rule, rateOf(steady.slice(0, end))))
  })
})
