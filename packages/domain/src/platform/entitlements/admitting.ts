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
 * then writes.
 */
export const admitting =
  (limit: Limit, more = 1) =>
  <A, E, R>(write: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      const usage = yield* Usage
      yield* usage.hold(limit)
      yield* requireRoom(limit, yield* usage.count(limit), more)
      return yield* write
    })

/** As `admitting`, for a write that says how many there are then, counted under a lock of its own: it is taken back if it was one too many. */
export const admittingCounted =
  (limit: Limit, more = 1) =>
  <A extends { readonly count: number }, E, R>(write: Effect.Effect<A, E, R>) =>
    Effect.tap(write, ({ count }) => requireRoom(limit, count - more, more))
