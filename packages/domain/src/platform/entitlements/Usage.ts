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

/** Counter of one plan limit, in the area that owns the counted resources. */
export interface UsageCounter<R> {
  readonly limit: Limit
  /** Lock before a count and a write; `null` if the write counts under a separate lock. */
  readonly lock: LockName | null
  readonly count: Effect.Effect<number, never, R>
}

/** Usage of the plan limits of the organization, counted by the owning areas. */
export class Usage extends Context.Service<
  Usage,
  TenantScoped<{
    readonly count: (limit: Limit) => Effect.Effect<number>
    /** Blocks other additions until the commit, for limits without a separate lock. */
    readonly hold: (limit: Limit) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/platform/entitlements/Usage") {}

type Needs<U> = U extends UsageCounter<infer R> ? Exclude<R, Tenancy | Transaction> : never

/** Fails to compile when no area counts a limit. */
type AllLimitsCounted<U extends UsageCounter<unknown>> = [Exclude<Limit, U["limit"]>] extends [never]
  ? unknown
  : { readonly countedByNobody: Exclude<Limit, U["limit"]> }

/** Combines the usage counters of the areas. */
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

/** Current usage of every limit. */
export const currentUsage = Effect.gen(function* () {
  const usage = yield* Usage
  const counted = yield* Effect.forEach(Limit.literals, (limit) =>
    Effect.map(usage.count(limit), (count) => [limit, count] as const)
  )
  return Object.fromEntries(counted) as Readonly<Record<Limit, number>>
})

/** The addition would exceed the plan limit. */
export class PlanLimitReached extends Schema.TaggedError<PlanLimitReached>()("PlanLimitReached", {
  limit: Limit,
  current: Schema.Int,
  max: Schema.Int
}) {
  override get message() {
    return `The plan allows ${this.max} ${this.limit}; ${this.current} are in use.`
  }
}

/** Smallest limit of all plans. */
const lowestLimit = (limit: Limit) => Math.min(...Object.values(plans).map(({ limits }) => limits[limit]))

const checkCapacity = Effect.fnUntraced(function* (limit: Limit, current: number, more = 1) {
  if (current + more <= lowestLimit(limit)) return
  const plan = yield* (yield* Plans).current()
  const max = plans[plan].limits[limit]
  if (current + more > max) return yield* new PlanLimitReached({ limit, current, max })
})

/** Fails without current capacity in the plan, before useless work. The write itself uses `withinLimit`. */
export const requireCapacity = Effect.fnUntraced(function* (limit: Limit) {
  yield* checkCapacity(limit, yield* (yield* Usage).count(limit))
})

/** Runs a write that adds one or more limited resources, if the plan has capacity. Takes the lock of the organization, counts, then writes. */
export const withinLimit =
  (limit: Limit, more = 1) =>
  <A, E, R>(write: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      const usage = yield* Usage
      yield* usage.hold(limit)
      yield* checkCapacity(limit, yield* usage.count(limit), more)
      return yield* write
    })

/** Like `withinLimit`, for a write that returns the new count under a separate lock. The write is rolled back if the count exceeds the limit. */
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

/** Enforces the plan gates of use cases from the product matrix. */
export const layerFeatureGate = Layer.effect(
  FeatureGate,
  Effect.map(Plans, (port) =>
    FeatureGate.of({ require: (feature) => Effect.provideService(requireFeature(feature), Plans, port) })
  )
)
