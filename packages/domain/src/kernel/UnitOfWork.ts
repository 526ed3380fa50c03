import { Context, Effect } from "effect"

/**
 * Proof that the code runs inside a `UnitOfWork`. Only `transact` provides it.
 *
 * @effect-leakable-service
 */
export class Transaction extends Context.Service<Transaction, {}>()("@parley/domain/kernel/Transaction") {}

/** Commits everything the effect wrote when it succeeds, and nothing when it fails or is interrupted. */
export class UnitOfWork extends Context.Service<
  UnitOfWork,
  {
    /** Inside another unit of work it nests: an inner failure takes back the inner writes only. */
    readonly transact: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, Exclude<R, Transaction>>
  }
>()("@parley/domain/kernel/UnitOfWork") {}

/** Runs the effect as one unit of work. */
export const transact = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, Exclude<R, Transaction> | UnitOfWork> =>
  Effect.flatMap(UnitOfWork, (unit) => unit.transact(effect))
