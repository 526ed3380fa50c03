import { RateLimits } from "@parley/domain/kernel"
import { Clock, DateTime, Effect, HashMap, Layer } from "effect"
import { rowAt, type State } from "../store/State.ts"
import { Store } from "../store/Store.ts"

const windowOf = (state: State, bucket: string, windowMillis: number, now: number) => {
  const row = rowAt(state.buckets, bucket)
  return row !== null && now < row.resetsAt ? row : { used: 0, resetsAt: now + windowMillis }
}

const withUsed = (state: State, bucket: string, used: number, resetsAt: number): State => ({
  ...state,
  buckets: HashMap.set(state.buckets, bucket, { used, resetsAt })
})

export const layer = Layer.effect(
  RateLimits,
  Effect.map(Store, (store) =>
    RateLimits.of({
      spend: (bucket, { limit, windowMillis }, units) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          store.write((state) => {
            const { resetsAt, used } = windowOf(state, bucket, windowMillis, now)
            const granted = Math.max(0, Math.min(units, limit - used))
            const remaining = Math.max(0, limit - used - granted)
            const grant = { granted, remaining, resetsAt: DateTime.makeUnsafe(resetsAt) }
            return [grant, withUsed(state, bucket, used + granted, resetsAt)]
          })
        ),
      refund: (bucket, { windowMillis }, units) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          store.write((state) => {
            const { resetsAt, used } = windowOf(state, bucket, windowMillis, now)
            return [undefined, withUsed(state, bucket, Math.max(0, used - units), resetsAt)]
          })
        ),
      sweep: Effect.flatMap(Clock.currentTimeMillis, (now) =>
        store.write((state) => {
          const buckets = HashMap.filter(state.buckets, ({ resetsAt }) => now < resetsAt)
          return [HashMap.size(state.buckets) - HashMap.size(buckets), { ...state, buckets }]
        })
      )
    })
  )
)
