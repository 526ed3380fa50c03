import { Context, type DateTime, Effect, Latch, Schema } from "effect"
import type { OrganizationId, Transaction } from "../../kernel/index.ts"
import type { DueLane, Lane, LaneLease, LanePriority, TaskName } from "./Lane.ts"

/** Somebody else owns the lane by now, or it is closed: whatever was about to be written under the lease is void. */
export class LeaseLost extends Schema.TaggedError<LeaseLost>()("LeaseLost", {}) {
  override get message() {
    return "The lease is lost: somebody else owns the lane by now."
  }
}

/** Which lanes to look for: those of one work in some shards, without those that are held already. */
export interface LaneSearch {
  readonly work: TaskName
  readonly shards: ReadonlyArray<number>
  readonly except: ReadonlyArray<Lane>
  readonly now: DateTime.Utc
  readonly limit: number
}

/** A lane to be opened for any organization. */
export interface LaneToSchedule extends Lane {
  readonly priority: LanePriority
  readonly dueAt: DateTime.Utc
}

/**
 * The lanes of all organizations, for those who own their shards. It stands above tenants, and knows of lanes only: what
 * waits in them is in the tables of their organizations.
 */
export class LaneQueue extends Context.Service<
  LaneQueue,
  {
    /** As `Lanes.open`, for many and for any organization. */
    readonly openAll: (lanes: ReadonlyArray<LaneToSchedule>) => Effect.Effect<void, never, Transaction>
    /** Lanes whose time has come: up to `limit` that persons wait for and as many others, each from the earliest on. */
    readonly due: (search: LaneSearch) => Effect.Effect<ReadonlyArray<DueLane>>
    /**
     * One lane whose time has come of each of the next `limit` organizations that come after this one, and the last of those
     * organizations; `null` when there are no more after them.
     */
    readonly dueByOrganization: (
      search: LaneSearch,
      after: OrganizationId | null
    ) => Effect.Effect<{ readonly lanes: ReadonlyArray<DueLane>; readonly last: OrganizationId | null }>
    /** Gives those whose shards the process still owns; nobody who had one of them before can write under it any more. */
    readonly claim: (
      node: string,
      leases: ReadonlyArray<LaneLease>,
      now: DateTime.Utc
    ) => Effect.Effect<ReadonlyArray<LaneLease>>
    /** When the next lane is due; `null` when there is none. */
    readonly nextDue: (search: Omit<LaneSearch, "limit" | "now">) => Effect.Effect<DateTime.Utc | null>
    /**
     * Makes the unit of work one of the owner's: it fails once the lease is lost, and until it has ended nobody else can claim
     * the lane. Call it last, so that nobody waits for long.
     */
    readonly hold: (lease: LaneLease) => Effect.Effect<void, LeaseLost, Transaction>
    /**
     * Keeps work out of the lane until the unit of work ends, so that it can be seen whether any is left. `false` when
     * somebody is putting some in.
     */
    readonly isolate: (lease: LaneLease) => Effect.Effect<boolean, LeaseLost, Transaction>
    /** Releases the lane until it is due then. Isolate it first, unless nobody but its owner puts work in. */
    readonly postpone: (lease: LaneLease, dueAt: DateTime.Utc) => Effect.Effect<void, LeaseLost, Transaction>
    /** There is nothing left to do in the lane. Isolate it first, unless nobody but its owner puts work in. */
    readonly close: (lease: LaneLease) => Effect.Effect<void, LeaseLost, Transaction>
    /** Completes when lanes of the work may have been opened, with their shards, `null` for any; it may complete for nothing. */
    readonly awaitNotification: (work: TaskName) => Effect.Effect<ReadonlySet<number> | null>
  }
>()("@parley/domain/platform/background/LaneQueue") {}

interface TaskWaiter {
  readonly latch: Latch.Latch
  shards: Set<number> | null
}

/** The notifications inside of this process about opened lanes and free shards. */
export const makeLaneNotifications = () => {
  const works = new Map<TaskName, TaskWaiter>()
  const shards = Latch.makeUnsafe()

  const waitingFor = (work: TaskName): TaskWaiter => {
    const known = works.get(work)
    if (known !== undefined) return known
    const awaitWork = { latch: Latch.makeUnsafe(), shards: new Set<number>() }
    works.set(work, awaitWork)
    return awaitWork
  }

  return {
    opened: (work: TaskName, shard: number) => {
      const awaitWork = waitingFor(work)
      awaitWork.shards?.add(shard)
      awaitWork.latch.openUnsafe()
    },
    shardsMoved: () => shards.openUnsafe(),
    /** Notifications may have been missed: everybody has to poll. */
    missed: () => {
      shards.openUnsafe()
      for (const awaitWork of works.values()) {
        awaitWork.shards = null
        awaitWork.latch.openUnsafe()
      }
    },
    awaitOpened: (work: TaskName): Effect.Effect<ReadonlySet<number> | null> =>
      Effect.suspend(() => {
        const awaitWork = waitingFor(work)
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
