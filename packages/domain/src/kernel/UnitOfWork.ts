import { Context, Effect } from "effect"
import type { TenantScoped } from "./CurrentActor.ts"

/**
 * Proof that the code runs inside a `UnitOfWork`. Only `transact` provides it.
 *
 * @effect-leakable-service
 */
export class Transaction extends Context.Service<Transaction, {}>()("@parley/domain/kernel/Transaction") {}

/** Commits all writes of the effect when it succeeds, and none when it fails or is interrupted. */
export class UnitOfWork extends Context.Service<
  UnitOfWork,
  {
    /** Nests inside another unit of work: an inner failure rolls back the inner writes only. */
    readonly transact: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, Exclude<R, Transaction>>
  }
>()("@parley/domain/kernel/UnitOfWork") {}

export const transact = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, Exclude<R, Transaction> | UnitOfWork> =>
  Effect.flatMap(UnitOfWork, (unit) => unit.transact(effect))

/** Hooks that the unit of work runs in order after its commit; `null` outside of one. */
export const AfterCommitHooks = Context.Reference<Array<Effect.Effect<void>> | null>(
  "@parley/domain/kernel/Afterwards",
  {
    defaultValue: () => null
  }
)

/**
 * Runs the effect after the commit of the outermost unit of work, before its caller continues. Outside of a unit of work it runs immediately. It
 * runs in the context around the unit of work, without the transaction.
 */
export const afterCommit = <R>(effect: Effect.Effect<void, never, R>): Effect.Effect<void, never, R> =>
  Effect.flatMap(AfterCommitHooks, (afterwards) =>
    afterwards === null
      ? effect
      : Effect.sync(() => {
          // A unit of work gets all services except the transaction from its surroundings.
          afterwards.push(effect as Effect.Effect<void>)
        })
  )

/** Counts committed units of work, to detect changes. */
export interface CommitCount {
  count: number
}

/** Commit count of the current request. */
export const CurrentCommitCount = Context.Reference<CommitCount>("@parley/domain/kernel/Commits", {
  defaultValue: () => ({ count: 0 })
})

/** Name of a lock that one unit of work at a time can hold. */
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
