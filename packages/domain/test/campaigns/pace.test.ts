import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  addOutcome,
  emptyOutcomes,
  emptyThrottle,
  exceedsFailureRate,
  fullThrottle,
  takeFromThrottle,
  type ThrottleState
} from "../../src/campaigns/sending/limits.ts"

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

/** The most that began within any time of this length. */
const mostWithin = (times: ReadonlyArray<number>, length: number) =>
  Math.max(0, ...times.map((end, at) => at + 1 - times.findIndex((begin) => begin > end - length)))

/** Send times of a caller with constant load and the given delays. */
const goOn = (first: ThrottleState, end: number, lateness: ReadonlyArray<number>): ReadonlyArray<number> => {
  const times: Array<number> = []
  let throttle = first
  let now = 0
  for (let turn = 0; now < end; turn += 1) {
    const taken = takeFromThrottle(throttle, now, 64)
    throttle = taken.throttle
    for (let each = 0; each < taken.granted; each += 1) times.push(now)
    now = Math.max(now, taken.nextAt) + (lateness[turn % lateness.length] ?? 0)
  }
  return times
}

describe("the throttle of a broadcast", () => {
  it.prop(
    "never gives more than its messages in any minute",
    { perMinute: between(1, 2_000), waits: Schema.Array(between(0, 20_000)).check(Schema.isMaxLength(100)) },
    ({ perMinute, waits }) => {
      let throttle = fullThrottle(perMinute, 0)
      let now = 0
      const times: Array<number> = []
      for (const wait of waits) {
        now += wait
        const taken = takeFromThrottle(throttle, now, 64)
        throttle = taken.throttle
        assert.isTrue(taken.granted === 64 || taken.nextAt > now)
        for (let each = 0; each < taken.granted; each += 1) times.push(now)
      }
      assert.isAtMost(mostWithin(times, 60_000), perMinute)
    }
  )

  it.each([1, 7, 60, 99, 100, 101, 1_000, 6_000, 60_000])("of %i is used to 98 %%", (perMinute) => {
    const times = goOn(fullThrottle(perMinute, 0), 180_000, [0, 3, 8, 1])
    assert.isAtLeast(times.length, Math.floor(perMinute * 3 * 0.98))
    const fullest = times.filter((at) => at < 60_000).length
    assert.isAtMost(fullest, perMinute)
  })

  it("is empty if another process may have sent recently", () => {
    const throttle = emptyThrottle(600, 0)
    const { granted, nextAt } = takeFromThrottle(throttle, 0, 64)
    assert.strictEqual(granted, 0)
    assert.strictEqual(takeFromThrottle(throttle, nextAt, 64).granted, 1)
  })
})

describe("a broadcast that fails", () => {
  it("pauses at 100 of its last 200", () => {
    let outcomes = emptyOutcomes
    for (let each = 0; each < 99; each += 1) outcomes = addOutcome(outcomes, true)
    assert.isFalse(exceedsFailureRate(outcomes))
    assert.isTrue(exceedsFailureRate(addOutcome(outcomes, true)))
    for (let each = 0; each < 101; each += 1) outcomes = addOutcome(outcomes, false)
    assert.isTrue(exceedsFailureRate(addOutcome(outcomes, true)) === outcomes.slice(1).filter(Boolean).length >= 99)
    assert.strictEqual(outcomes.length, 200)
  })

  it.prop(
    "is looked at by its last 200 only",
    { all: Schema.Array(Schema.Boolean).check(Schema.isMaxLength(600)) },
    ({ all }) => {
      const outcomes = all.reduce(addOutcome, emptyOutcomes)
      assert.deepStrictEqual(outcomes, all.slice(-200))
      assert.strictEqual(exceedsFailureRate(outcomes), all.slice(-200).filter(Boolean).length >= 100)
    }
  )
})
