import { Effect } from "effect"
import { PlanLimitReached } from "./Errors.ts"
import { type Limit, plans } from "./Plan.ts"
import { Plans } from "./Plans.ts"
import { Usage } from "./Usage.ts"

/** What every plan has room for. */
const least = (limit: Limit) => Math.min(...Object.values(plans).map(({ limits }) => limits[limit]))

const requireRoom = Effect.fnUntraced(function* (limit: Limit, current: number, more = 1) {
  if (current + more <= least(limit)) return
  const plan = yield* (yield* Plans).current()
  const max = plans[plan].limits[limit]
  if (current + more > max) return yield* new PlanLimitReached({ limit, current, max })
})

/** Refuses what the plan has no room for as it is now, before work that would be in vain. Whoever writes says `admitting`. */
export const foreseeRoom = Effect.fnUntraced(function* (limit: Limit) {
  yield* requireRoom(limit, yield* (yield* Usage).count(limit))
})

/**
 * Lets a write add one more of what a plan limits, or so many, if the plan has room for them: takes the lock of the organization, counts,
 * then writes. A write that counts under a lock of its own is taken back if it was one too many.
 */
export const admitting =
  (limit: Limit, more = 1) =>
  <A, E, R>(write: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      const usage = yield* Usage
      const counted = yield* usage.hold(limit)
      if (counted === "before") yield* requireRoom(limit, yield* usage.count(limit), more)
      const written = yield* write
      if (counted === "after") yield* requireRoom(limit, (yield* usage.count(limit)) - more, more)
      return written
    })
