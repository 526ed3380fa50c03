import { type RateLimitGrant, findOutage, type Quota, RateLimits } from "@parley/domain/kernel"
import { type Cause, Clock, Context, DateTime, Effect, Layer, Semaphore } from "effect"
import { RateLimited } from "../api/problems.ts"

interface Lease {
  units: number
  remaining: number
  resetsAt: number
  readonly refill: Semaphore.Semaphore
}

/** Quota of a caller after an accepted request. */
export interface QuotaState {
  readonly limit: number
  readonly remaining: number
  readonly resetsInSeconds: number
}

/**
 * Accepts requests while their bucket has units. A process takes units from the shared count in small lots. Most requests need no round trip, and
 * all processes together never exceed the limit.
 */
export class RateLimiter extends Context.Service<
  RateLimiter,
  { readonly pass: (bucket: string, quota: Quota) => Effect.Effect<QuotaState, RateLimited> }
>()("@parley/http-adapter/RateLimiter") {}

const lotsPerWindow = 50
const mostBuckets = 20_000

/** Time that a process counts locally before it uses the shared count again. */
const ownCountMillis = 1_000

/** Counts locally while the shared count is unavailable. Requests without database access continue; all others fail anyway. */
const ownCount =
  ({ limit }: Quota) =>
  (cause: Cause.Cause<never>) =>
    findOutage(cause) === null
      ? Effect.failCause(cause)
      : Effect.map(DateTime.now, (now): RateLimitGrant => ({
          granted: limit,
          remaining: 0,
          resetsAt: DateTime.add(now, { milliseconds: ownCountMillis })
        }))

/** Limiter on the shared count of `RateLimits`. */
export const layer = Layer.effect(
  RateLimiter,
  Effect.gen(function* () {
    const limits = yield* RateLimits
    const leases = new Map<string, Lease>()

    const leaseOf = (bucket: string): Lease => {
      const known = leases.get(bucket)
      if (known !== undefined) return known
      if (leases.size >= mostBuckets) {
        for (const oldest of leases.keys()) {
          leases.delete(oldest)
          break
        }
      }
      const lease: Lease = { units: 0, remaining: 0, resetsAt: 0, refill: Semaphore.makeUnsafe(1) }
      leases.set(bucket, lease)
      return lease
    }

    const spend = (lease: Lease, quota: Quota, now: number): QuotaState => {
      lease.units -= 1
      return {
        limit: quota.limit,
        remaining: lease.remaining + lease.units,
        resetsInSeconds: Math.max(0, Math.ceil((lease.resetsAt - now) / 1000))
      }
    }

    const accept = (lease: Lease, grant: RateLimitGrant) => {
      lease.units = grant.granted
      lease.remaining = grant.remaining
      lease.resetsAt = DateTime.toEpochMillis(grant.resetsAt)
    }

    const refuse = (lease: Lease, now: number) =>
      new RateLimited({ retryAfterSeconds: Math.max(1, Math.ceil((lease.resetsAt - now) / 1000)) })

    const refill = (bucket: string, lease: Lease, quota: Quota) =>
      lease.refill.withPermits(1)(
        Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          if (now < lease.resetsAt && lease.units > 0) return spend(lease, quota, now)
          if (now < lease.resetsAt && lease.remaining === 0) return yield* refuse(lease, now)
          const lot = Math.max(1, Math.ceil(quota.limit / lotsPerWindow))
          accept(lease, yield* Effect.catchCause(limits.spend(bucket, quota, lot), ownCount(quota)))
          return lease.units > 0 ? spend(lease, quota, now) : yield* refuse(lease, now)
        })
      )

    return RateLimiter.of({
      pass: (bucket, quota) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          const lease = leaseOf(bucket)
          return now < lease.resetsAt && lease.units > 0
            ? Effect.succeed(spend(lease, quota, now))
            : refill(bucket, lease, quota)
        })
    })
  })
)
