import { Clock, Effect } from "effect"

/** At most so many requests in a second go to one receiver. */
export const mostPerSecond = 100

/** Waits where a request more would be too many in this second. */
export const makePace = Effect.sync(() => {
  let second = Number.NEGATIVE_INFINITY
  let count = 0
  return Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    if (now >= second + 1_000) {
      second = now
      count = 0
    }
    if (count >= mostPerSecond) {
      yield* Effect.sleep(second + 1_000 - now)
      second += 1_000
      count = 0
    }
    count += 1
  })
})
