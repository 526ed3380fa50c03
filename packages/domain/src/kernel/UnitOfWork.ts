import { Context, Effect } from "effect"
import type { TenantScoped } from "./CurrentActor.ts"

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

/** What is done when the unit of work at hand is committed; `null` outside of one. Whoever runs units of work does it, in this order. */
export const AfterCommitHooks = Context.Reference<Array<Effect.Effect<void>> | null>(
  "@parley/domain/kernel/Afterwards",
  {
    defaultValue: () => null
  }
)

/**
 * Does it once the unit of work is committed, the outermost one, before whoever asked for that goes on; at once outside of any. It runs in
 * what surrounds that unit of work: the transaction is over by then.
 */
export const afterCommit = <R>(effect: Effect.Effect<void, never, R>): Effect.Effect<void, never, R> =>
  Effect.flatMap(AfterCommitHooks, (afterwards) =>
    afterwards === null
      ? effect
      : Effect.sync(() => {
          // Whatever a unit of work needs, but for the transaction, it has from its surroundings.
          afterwards.push(effect as Effect.Effect<void>)
        })
  )

/** Counts the units of work that were committed, for whoever has to know whether anything was changed. */
export interface CommitCount {
  count: number
}

/** The count of the request at hand. */
export const CurrentCommitCount = Context.Reference<CommitCount>("@parley/domain/kernel/Commits", {
  defaultValue: () => ({ count: 0 })
})

/** What one unit of work at a time may hold. */
export type LockName =
  | "assignments"
  | "automations"
  | "broadcast_recipients"
  | "broadcast_settings"
  | "chat_accounts"
  | "contact_fields"
  | "members"
  | "message_templates"
  | "organization"
  | "plugins"
  | "schedules"
  | "segments"
  | "store_connections"
  | "tags"
  | "webhook_subscriptions"
  | "workflows"

/** Read-write locks of an organization, for rules that read before they write. They end with the unit of work. */
export class Locks extends Context.Service<
  Locks,
  TenantScoped<{
    /** Waits until no other unit of work of this organization holds the name, then holds it until the commit. */
    readonly exclusive: (name: LockName) => Effect.Effect<void, never, Transaction>
    /** Waits for exclusive holders, then blocks new ones until the commit. */
    readonly shared: (name: LockName) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/kernel/Locks") {}
