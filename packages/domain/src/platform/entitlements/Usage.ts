import { Context, Effect, Layer, Schema } from "effect"
import {
  type Feature,
  FeatureGate,
  FeatureNotInPlan,
  type LockName,
  Locks,
  type Tenancy,
  type TenantScoped,
  type Transaction,
  withContext
} from "../../kernel/index.ts"
import { Limit, plans, Plans, plansWith } from "./Plan.ts"

/** How an area that owns what a plan limits counts it. */
export interface UsageCounter<R> {
  readonly limit: Limit
  /** Taken before one more is counted and written; `null` where the write itself counts, under a lock of its own. */
  readonly lock: LockName | null
  readonly count: Effect.Effect<number, never, R>
}

/** How much the organization uses of the limits of plans, counted by the areas that own it. */
export class Usage extends Context.Service<
  Usage,
  TenantScoped<{
    readonly count: (limit: Limit) => Effect.Effect<number>
    /** Keeps others from letting one more in until the commit, where writes do not count under a lock of their own. */
    readonly hold: (limit: Limit) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/platform/entitlements/Usage") {}

type Needs<U> = U extends UsageCounter<infer R> ? Exclude<R, Tenancy | Transaction> : never

/** Refuses to compile where a limit is counted by no area. */
type AllLimitsCounted<U extends UsageCounter<unknown>> = [Exclude<Limit, U["limit"]>] extends [never]
  ? unknown
  : { readonly countedByNobody: Exclude<Limit, U["limit"]> }

/** Puts together how the areas count what plans limit. */
export const layerUsageOf = <U extends UsageCounter<unknown>>(
  uses: AllLimitsCounted<U> & ReadonlyArray<U>
): Layer.Layer<Usage, never, Locks | Needs<U>> =>
  Layer.effect(
    Usage,
    Effect.gen(function* () {
      const locks = yield* Locks
      const supply = withContext<Tenancy>(yield* Effect.context<Needs<U>>())
      const useOf = (limit: Limit) => {
        const use = uses.find((each) => each.limit === limit)
        return use === undefined ? Effect.die(new Error(`No area counts ${limit}.`)) : Effect.succeed(use)
      }
      return Usage.of({
        count: (limit) => Effect.flatMap(useOf(limit), ({ count }) => supply(count)),
        hold: Effect.fnUntraced(function* (limit) {
          const { lock } = yield* useOf(limit)
          if (lock === null) return yield* Effect.die(new Error(`Writes count ${limit} under a lock of their own.`))
          yield* locks.exclusive(lock)
        })
      })
    })
  )

/** How much is used of every limit. */
export const currentUsage = Effect.gen(function* () {
  const usage = yield* Usage
  const counted = yield* Effect.forEach(Limit.literals, (limit) =>
    Effect.map(usage.count(limit), (count) => [limit, count] as const)
  )
  return Object.fromEntries(counted) as Readonly<Record<Limit, number>>
})

/** One more would be over the plan's limit. */
export class PlanLimitReached extends Schema.TaggedError<PlanLimitReached>()("PlanLimitReached", {
  limit: Limit,
  current: Schema.Int,
  max: Schema.Int
}) {
  override get message() {
    return `The plan allows ${this.max} ${this.limit}; ${this.current} are in use.`
  }
}

/** What every plan has room for. */
const lowestLimit = (limit: Limit) => Math.min(...Object.values(plans).map(({ limits }) => limits[limit]))

const checkCapacity = Effect.fnUntraced(function* (limit: Limit, current: number, more = 1) {
  if (current + more <= lowestLimit(limit)) return
  const plan = yield* (yield* Plans).current()
  const max = plans[plan].limits[limit]
  if (current + more > max) return yield* new PlanLimitReached({ limit, current, max })
})

/** Refuses what the plan has no room for as it is now, before work that would be in vain. Whoever writes says `admitting`. */
export const requireCapacity = Effect.fnUntraced(function* (limit: Limit) {
  yield* checkCapacity(limit, yield* (yield* Usage).count(limit))
})

/**
 * Lets a write add one more of what a plan limits, or so many, if the plan has room for them: takes the lock of the organization, counts,
 * then writes.
 */
export const withinLimit =
  (limit: Limit, more = 1) =>
  <A, E, R>(write: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      const usage = yield* Usage
      yield* usage.hold(limit)
      yield* checkCapacity(limit, yield* usage.count(limit), more)
      return yield* write
    })

/** As `admitting`, for a write that says how many there are then, counted under a lock of its own: it is taken back if it was one too many. */
export const withinLimitCounted =
  (limit: Limit, more = 1) =>
  <A extends { readonly count: number }, E, R>(write: Effect.Effect<A, E, R>) =>
    Effect.tap(write, ({ count }) => checkCapacity(limit, count - more, more))

const requireFeature = Effect.fnUntraced(function* (feature: Feature) {
  const plan = yield* (yield* Plans).current()
  if (!plans[plan].features.includes(feature)) {
    return yield* new FeatureNotInPlan({ feature, plan, availableIn: plansWith(feature) })
  }
})

/** The plan gate that use cases declare, enforced from the product matrix. */
export const layerFeatureGate = Layer.effect(
  FeatureGate,
  Effect.map(Plans, (port) =>
    FeatureGate.of({ require: (feature) => Effect.provideService(requireFeature(feature), Plans, port) })
  )
)
