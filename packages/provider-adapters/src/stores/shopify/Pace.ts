import { Clock, Effect, Semaphore } from "effect"
import { mostCost, usualBucket } from "./assumptions.ts"

/** State of the cost bucket, from an answer. */
export interface BucketStatus {
  readonly left: number
  readonly most: number
  readonly perSecond: number
}

interface Bucket {
  readonly turn: Semaphore.Semaphore
  left: number
  most: number
  perSecond: number
  /** Time of the answer that stated it; `null` before the first answer. */
  at: number | null
  /** No call starts before this time. */
  from: number
}

const mostShops = 10_000

/**
 * The pace of one shop: calls wait for their turn, and until there is twice as much in the bucket as they need, because another process
 * may pay from it, too.
 */
export interface ShopPace {
  readonly inTurn: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Milliseconds to wait before a call of that cost. */
  readonly waitFor: (cost: number) => Effect.Effect<number>
  /** Milliseconds until the bucket holds exactly that cost, from the values of the shop: (requested - available) / restoreRate. */
  readonly restoredIn: (cost: number) => Effect.Effect<number>
  readonly spend: (cost: number) => void
  readonly learn: (status: BucketStatus) => Effect.Effect<void>
  /** Blocks all calls for this time. */
  readonly rest: (millis: number) => Effect.Effect<void>
}

/** Paces of all shops, and the maximum cost of calls of each name. */
export const makePaces = () => {
  const buckets = new Map<string, Bucket>()
  const costs = new Map<string, number>()

  const bucketOf = (shop: string): Bucket => {
    const known = buckets.get(shop)
    if (known !== undefined) return known
    const [oldest] = buckets.keys()
    if (buckets.size >= mostShops && oldest !== undefined) buckets.delete(oldest)
    const made: Bucket = { turn: Semaphore.makeUnsafe(1), left: usualBucket.most, ...usualBucket, at: null, from: 0 }
    buckets.set(shop, made)
    return made
  }

  return {
    costOf: (name: string) => costs.get(name) ?? mostCost / 2,
    learnCost: (name: string, cost: number) => {
      costs.set(name, cost)
    },
    of: (shop: string): ShopPace => {
      const bucket = bucketOf(shop)
      const until = (cost: number) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const needed = Math.min(bucket.most, cost)
          const passed = bucket.at === null ? 0 : (now - bucket.at) / 1_000
          const left = Math.min(bucket.most, bucket.left + passed * bucket.perSecond)
          const missing = bucket.at === null ? 0 : Math.max(0, needed - left)
          return Math.max(bucket.from - now, Math.ceil((missing / bucket.perSecond) * 1_000), 0)
        })
      return {
        inTurn: (effect) => bucket.turn.withPermit(effect),
        waitFor: (cost) => until(cost * 2),
        restoredIn: until,
        spend: (cost) => {
          bucket.left -= cost
        },
        learn: ({ left, most, perSecond }) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            Object.assign(bucket, { left, most, perSecond, at: now })
          }),
        rest: (millis) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            bucket.from = Math.max(bucket.from, now + millis)
          })
      }
    }
  }
}
export type Paces = ReturnType<typeof makePaces>
