import { assert } from "@effect/vitest"
import { type Quota, RateLimits } from "@parley/domain/kernel"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { runContract, type StorageContract } from "../contract.ts"
import { freshText, present } from "../given.ts"

const quota: Quota = { limit: 5, windowMillis: 60_000 }

const given = Effect.gen(function* () {
  const now = yield* present
  const limits = yield* RateLimits
  const bucket = freshText("bucket")
  const spend = (units: number) => limits.spend(bucket, quota, units)
  const refund = (units: number) => limits.refund(bucket, quota, units)
  return { now, limits, spend, refund }
})

export const rateLimits: StorageContract = {
  port: "RateLimits",
  promises: (it) => {
    it.effect("grants the quota, and returns the rest and the reset time", () =>
      Effect.gen(function* () {
        const { now, spend } = yield* given
        const first = yield* spend(2)
        assert.deepStrictEqual([first.granted, first.remaining], [2, 3])
        const wait = DateTime.toEpochMillis(first.resetsAt) - DateTime.toEpochMillis(now)
        assert.isTrue(wait > 0 && wait <= quota.windowMillis, `resets after ${wait} ms`)
        const second = yield* spend(1)
        assert.deepStrictEqual([second.granted, second.remaining], [1, 2])
        assert.strictEqual(DateTime.toEpochMillis(second.resetsAt), DateTime.toEpochMillis(first.resetsAt))
      })
    )

    it.effect("gives less than asked for when less is left, and then nothing", () =>
      Effect.gen(function* () {
        const { refund, spend } = yield* given
        yield* spend(3)
        const rest = yield* spend(4)
        assert.deepStrictEqual([rest.granted, rest.remaining], [2, 0])
        const none = yield* spend(1)
        assert.deepStrictEqual([none.granted, none.remaining], [0, 0])
        yield* refund(1)
        assert.strictEqual((yield* spend(2)).granted, 1, "what was not given was not counted")
      })
    )

    it.effect("resets when the window is over, not before", () =>
      Effect.gen(function* () {
        const { now, spend } = yield* given
        const { resetsAt } = yield* spend(5)
        const wait = DateTime.toEpochMillis(resetsAt) - DateTime.toEpochMillis(now)
        yield* TestClock.adjust(wait - 1)
        assert.strictEqual((yield* spend(1)).granted, 0)
        yield* TestClock.adjust(1)
        const anew = yield* spend(1)
        assert.deepStrictEqual([anew.granted, anew.remaining], [1, 4])
        assert.isTrue(DateTime.isGreaterThan(anew.resetsAt, resetsAt))
      })
    )

    it.effect("takes units back, never more than were given", () =>
      Effect.gen(function* () {
        const { refund, spend } = yield* given
        yield* spend(5)
        yield* refund(1)
        const one = yield* spend(2)
        assert.deepStrictEqual([one.granted, one.remaining], [1, 0])
        yield* refund(50)
        const all = yield* spend(50)
        assert.deepStrictEqual([all.granted, all.remaining], [5, 0])
      })
    )

    it.effect("takes nothing back into a window that had given nothing", () =>
      Effect.gen(function* () {
        const { refund, spend } = yield* given
        yield* spend(3)
        yield* TestClock.adjust(quota.windowMillis)
        yield* refund(3)
        assert.strictEqual((yield* spend(50)).granted, 5)
      })
    )

    it.effect("keeps buckets apart", () =>
      Effect.gen(function* () {
        const { spend } = yield* given
        const { spend: spendOther } = yield* given
        yield* spend(5)
        assert.strictEqual((yield* spendOther(5)).granted, 5)
      })
    )

    it.effect("sweeps out windows that are over, and nothing else", () =>
      Effect.gen(function* () {
        const old = yield* given
        yield* old.spend(5)
        yield* TestClock.adjust("61 seconds")
        const young = yield* given
        yield* young.spend(4)
        assert.isAtLeast(yield* young.limits.sweep, 1)
        assert.strictEqual(yield* young.limits.sweep, 0)
        assert.strictEqual((yield* young.spend(5)).granted, 1)
      })
    )

    it.effect("of many concurrent calls exactly the available number succeeds", () =>
      Effect.gen(function* () {
        const { spend } = yield* given
        const grants = yield* Effect.replicateEffect(spend(1), 40, { concurrency: "unbounded" })
        assert.strictEqual(grants.filter(({ granted }) => granted === 1).length, 5)
      })
    )
  }
}

export const rateLimitsContract = runContract(rateLimits)
