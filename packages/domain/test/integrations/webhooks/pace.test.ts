import { assert, describe, it } from "@effect/vitest"
import { WebhookRateLimiter, WebhookSubscriptionId } from "@parley/domain/integrations"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"

const [one, other] = ["01934b78-4c50-7d77-8f91-607182930411", "01934b78-4c50-7d77-8f91-607182930412"].map((id) =>
  WebhookSubscriptionId.make(id)
)

/** Start times of this number of requests to a receiver, with a pause after some of them. */
const begin = Effect.fnUntraced(function* (
  id: WebhookSubscriptionId,
  count: number,
  pauseAfter: (index: number) => number = () => 0
) {
  const paces = yield* WebhookRateLimiter
  const begun: Array<number> = []
  for (let index = 0; index < count; index += 1) {
    yield* paces.take(id)
    begun.push(yield* Clock.currentTimeMillis)
    const pause = pauseAfter(index)
    if (pause > 0) yield* Effect.sleep(pause)
  }
  return begun
})

const mostInASecond = (begun: ReadonlyArray<number>) =>
  Math.max(...begun.map((at) => begun.filter((each) => each >= at && each < at + 1_000).length))

describe("the pace of webhooks", () => {
  it.effect("starts at most one hundred in any second, for every start time", () =>
    Effect.gen(function* () {
      // 60 late in one second and 60 early in the next: counted by clock seconds, that would be allowed.
      const running = yield* Effect.forkChild(
        begin(one ?? assert.fail(), 350, (index) => (index === 0 ? 900 : index === 59 ? 150 : 0))
      )
      yield* TestClock.adjust("10 seconds")
      const begun = yield* Fiber.join(running)
      assert.strictEqual(mostInASecond(begun), 100)
      assert.isBelow((begun.at(-1) ?? 0) - (begun[0] ?? 0), 4_000)
    }).pipe(Effect.provide(WebhookRateLimiter.layer))
  )

  it.effect("continues over turns, separately for each receiver", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(new Set(yield* begin(one ?? assert.fail(), 100)), new Set([0]))
      assert.deepStrictEqual(new Set(yield* begin(other ?? assert.fail(), 100)), new Set([0]))
      const next = yield* Effect.forkChild(begin(one ?? assert.fail(), 1))
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(yield* Fiber.join(next), [1_000])
    }).pipe(Effect.provide(WebhookRateLimiter.layer))
  )
})
