import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  type AccountPace,
  newPace,
  rateAt,
  reserveFor,
  slowDownPace,
  takeCalls
} from "../../../src/messaging/inbox/sending/AccountPace.ts"

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

const Step = Schema.Struct({ wait: between(0, 1_500), wanted: between(0, 64), slow: between(0, 19) })
const Steps = Schema.Array(Step).check(Schema.isMaxLength(200))
const Lateness = Schema.Array(between(0, 8)).check(Schema.isBetweenLength(1, 20))

/** Travel time of calls to the provider. */
const Transit = Schema.Array(between(0, 15)).check(Schema.isBetweenLength(1, 20))

/** Start times of the calls of a caller with endless work, which is sometimes late. */
const timesUntil = (end: number, most: number, lateness: ReadonlyArray<number>) => {
  const times: Array<number> = []
  let pace = newPace(most, 0)
  let now = 0
  for (let turn = 0; now < end; turn += 1) {
    const taken = takeCalls(pace, now, 64)
    pace = taken.pace
    for (let each = 0; each < taken.granted; each += 1) times.push(now)
    now = Math.max(now, taken.nextAt) + (lateness[turn % lateness.length] ?? 0)
  }
  return times
}

/** Start times of calls under constant load between these times. */
const timesOf = (start: AccountPace, from: number, until: number) => {
  const times: Array<number> = []
  let pace = start
  for (let now = from; now < until;) {
    const taken = takeCalls(pace, now, 64)
    pace = taken.pace
    for (let each = 0; each < taken.granted; each += 1) times.push(now)
    now = Math.max(now, taken.nextAt)
  }
  return times
}

/** The most that began within any second. */
const mostInASecond = (times: ReadonlyArray<number>) =>
  Math.max(0, ...times.map((end, at) => at + 1 - times.findIndex((begin) => begin > end - 1_000)))

describe("the rules of an account's pace", () => {
  it.prop(
    "never exceed the rate in any second, for every schedule of requests",
    { most: between(1, 200), steps: Steps },
    ({ most, steps }) => {
      let pace: AccountPace = newPace(most, 0)
      let now = 0
      const times: Array<number> = []
      for (const { slow, wait, wanted } of steps) {
        now += wait
        if (slow === 0) pace = slowDownPace(pace, now)
        const limit = Math.floor(rateAt(pace, now))
        const taken = takeCalls(pace, now, wanted)
        pace = taken.pace
        assert.isTrue(taken.granted > 0 || wanted === 0 || taken.nextAt > now)
        for (let each = 0; each < taken.granted; each += 1) times.push(now)
        if (taken.granted > 0) assert.isAtMost(times.filter((at) => at > now - 1_000).length, limit)
      }
      assert.isAtMost(mostInASecond(times), most)
    }
  )

  it.prop(
    "never have more arrive than the rate in any second, though one call is on its way 15 ms longer than another",
    { most: between(1, 200), lateness: Lateness, transit: Transit },
    ({ lateness, most, transit }) => {
      const begun = timesUntil(12_000, most, lateness)
      const arrived = begun.map((at, place) => at + (transit[place % transit.length] ?? 0)).toSorted((a, b) => a - b)
      assert.isAtMost(mostInASecond(arrived), most)
    },
    { arbitrary: { runs: 40 } }
  )

  it.prop(
    "allow 97 % of the rate over minutes for a constant load that arrives up to 8 ms late",
    { most: between(1, 200), lateness: Lateness },
    ({ lateness, most }) => {
      const times = timesUntil(122_000, most, lateness)
      assert.isAtMost(mostInASecond(times), most)
      assert.isAtLeast(times.filter((at) => at >= 2_000).length, Math.floor(most * 120 * 0.97))
    },
    { arbitrary: { runs: 20 } }
  )

  it.prop(
    "allow 98 % of the rate for requests on time",
    { most: between(1, 200) },
    ({ most }) => {
      const times = timesUntil(122_000, most, [0])
      assert.isAtLeast(times.filter((at) => at >= 2_000).length, Math.floor(most * 120 * 0.98))
    },
    { arbitrary: { runs: 20 } }
  )

  it.prop(
    "never exceed the rate in any second for two owners during a takeover",
    { most: between(1, 200), left: between(0, 1_000) },
    ({ left, most }) => {
      const replacedAt = 10_000
      const former = timesOf(newPace(most, 0), 0, replacedAt + left)
      const own = timesOf(reserveFor(newPace(most, replacedAt), left, replacedAt), replacedAt, 20_000)
      assert.isAtMost(mostInASecond([...former, ...own].toSorted((one, other) => one - other)), most)
      assert.isAtLeast(own.length, Math.floor(most * 0.97 * (8 - left / 1_000)))
    },
    { arbitrary: { runs: 40 } }
  )
})
