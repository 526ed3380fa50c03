import { Context, type DateTime, Effect, Latch, Schema } from "effect"
import type { OrganizationId, Transaction } from "../../kernel/index.ts"
import type { DueLane, Lane, LaneLease, LanePriority, TaskName } from "./Lane.ts"

/** Another process owns the lane now, or the lane is closed. Writes under the lease are void. */
export class LeaseLost extends Schema.TaggedError<LeaseLost>()("LeaseLost", {}) {
  override get message() {
    return "The lease is lost: another process owns the lane."
  }
}

/** Search for the lanes of one task in some shards, without the lanes that are already held. */
export interface LaneSearch {
  readonly task: TaskName
  readonly shards: ReadonlyArray<number>
  readonly except: ReadonlyArray<Lane>
  readonly now: DateTime.Utc
  readonly limit: number
}

/** Lane of any organization to open. */
export interface LaneToSchedule extends Lane {
  readonly priority: LanePriority
  readonly dueAt: DateTime.Utc
}

/** Lanes of all organizations, for shard owners. Not tenant-scoped; it stores lanes only, and the work is in the tables of the organizations. */
export class LaneQueue extends Context.Service<
  LaneQueue,
  {
    /** Opens many lanes like `Lanes.open`, for any organization. */
    readonly openAll: (lanes: ReadonlyArray<LaneToSchedule>) => Effect.Effect<void, never, Transaction>
    /** Due lanes, earliest first: up to `limit` person lanes and up to `limit` bulk lanes. */
    readonly due: (search: LaneSearch) => Effect.Effect<ReadonlyArray<DueLane>>
    /**
     * One due lane of each of the next `limit` organizations after this one, and the last of these organizations. `null` when no organization
     * follows.
     */
    readonly dueByOrganization: (
      search: LaneSearch,
      after: OrganizationId | null
    ) => Effect.Effect<{ readonly lanes: ReadonlyArray<DueLane>; readonly last: OrganizationId | null }>
    /** Claims the lanes whose shards the process still owns. Previous shard owners can no longer write under their leases. */
    readonly claim: (
      node: string,
      leases: ReadonlyArray<LaneLease>,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<LaneLease>>
    /** Time of the next due lane; `null` when no lane is open. */
    readonly nextDue: (search: Omit<LaneSearch, "limit" | "now">) => Effect.Effect<DateTime.Utc | null>
    /**
     * Binds the unit of work to the lease: it fails if the lease is lost, and no other process can claim the lane until it ends. Call it last to keep
     * the lock short.
     */
    readonly hold: (lease: LaneLease) => Effect.Effect<void, LeaseLost, Transaction>
    /**
     * Blocks additions to the lane until the unit of work ends, for a reliable check for remaining work. `false` while another transaction adds work.
     */
    readonly isolate: (lease: LaneLease) => Effect.Effect<boolean, LeaseLost, Transaction>
    /** Releases the lane until the due time. Isolate it first, unless only its owner adds work. */
    readonly postpone: (lease: LaneLease, dueAt: DateTime.Utc) => Effect.Effect<void, LeaseLost, Transaction>
    /** Closes the empty lane. Isolate it first, unless only its owner adds work. */
    readonly close: (lease: LaneLease) => Effect.Effect<void, LeaseLost, Transaction>
    /** Completes with the shards of possibly opened lanes of the task; `null` means all shards. Spurious completion is possible. */
    readonly awaitNotification: (task: TaskName) => Effect.Effect<ReadonlySet<number> | null>
  }
>()("@parley/domain/platform/background/LaneQueue") {}

interface TaskWaiter {
  readonly latch: Latch.Latch
  shards: Set<number> | null
}

/** In-process notifications about opened lanes and free shards. */
export const makeLaneNotifications = () => {
  const waiters = new Map<TaskName, TaskWaiter>()
  const shards = Latch.makeUnsafe()

  const waitingFor = (task: TaskName): TaskWaiter => {
    const known = waiters.get(task)
    if (known !== undefined) return known
    const awaitWork = { latch: Latch.makeUnsafe(), shards: new Set<number>() }
    waiters.set(task, awaitWork)
    return awaitWork
  }

  return {
    opened: (task: TaskName, shard: number) => {
      const awaitWork = waitingFor(task)
      awaitWork.shards?.add(shard)
      awaitWork.latch.openUnsafe()
    },
    shardsMoved: () => shards.openUnsafe(),
    /** Reports possibly missed notifications: all waiters must poll. */
    missed: () => {
      shards.openUnsafe()
      for (const awaitWork of waiters.values()) {
        awaitWork.shards = null
        awaitWork.latch.openUnsafe()
      }
    },
    awaitOpened: (task: TaskName): Effect.Effect<ReadonlySet<number> | null> =>
      Effect.suspend(() => {
        const awaitWork = waitingFor(task)
        return Effect.map(awaitWork.latch.await, () => {
          awaitWork.latch.closeUnsafe()
          const { shards } = awaitWork
          awaitWork.shards = new Set()
          return shards
        })
      }),
    awaitShards: Effect.andThen(shards.await, shards.close)
  }
}
