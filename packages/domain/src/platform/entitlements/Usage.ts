import { Context, Effect, Layer } from "effect"
import {
  type LockName,
  Locks,
  withContext,
  type Tenancy,
  type TenantScoped,
  type Transaction
} from "../../kernel/index.ts"
import { Limit } from "./Plan.ts"

/** How an area that owns what a plan limits counts it. */
export interface LimitUse<R> {
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

type Needs<U> = U extends LimitUse<infer R> ? Exclude<R, Tenancy | Transaction> : never

/** Refuses to compile where a limit is counted by no area. */
type Complete<U extends LimitUse<unknown>> = [Exclude<Limit, U["limit"]>] extends [never]
  ? unknown
  : { readonly countedByNobody: Exclude<Limit, U["limit"]> }

/** Puts together how the areas count what plans limit. */
export const layerUsageOf = <U extends LimitUse<unknown>>(
  uses: Complete<U> & ReadonlyArray<U>
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
