import { Context, type DateTime, type Effect } from "effect"
import type { OrganizationId, TenantScoped, Transaction } from "../../kernel/index.ts"

/** Name of the background task, for example `sends` or `jobs`. Stored in the database and shown to operators. */
export type TaskName = string

/** `person`: a user waits for the result. `bulk`: a large amount of work without a waiting user. */
export type LanePriority = "person" | "bulk"

/** Pending work of one key, for example an account's messages or a job. One owner at a time works on it sequentially. */
export interface Lane {
  readonly task: TaskName
  readonly organizationId: OrganizationId
  /** Identifies the lane within the task and the organization. */
  readonly key: string
}

/** Returns the only lane of an organization, for tasks with at most one lane per organization. */
export const organizationLane = (task: TaskName, organizationId: OrganizationId): Lane => ({
  task,
  organizationId,
  key: "all"
})

/** Lane whose due time has passed. */
export interface DueLane extends Lane {
  readonly shard: number
  readonly priority: LanePriority
  readonly dueAt: DateTime.Utc
}

/** Shard of a task, with the fence of its owner. Each new owner gets a higher fence. */
export interface OwnedShard {
  readonly task: TaskName
  readonly shard: number
  readonly fence: number
}

/** Lease of a lane. It is valid until another process owns the shard. */
export interface LaneLease extends Lane, OwnedShard {}

/** Number of shards per task. With 128, the shares of a dozen processes differ by less than a fifth. */
export const shardCount = 128

/** Returns the shard of a lane: FNV-1a over the identifying fields. The result must never change. */
export const shardOf = ({ key, organizationId, task }: Lane): number => {
  let hash = 0x811c9dc5
  for (const char of `${task} ${organizationId} ${key}`) {
    hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0
  }
  // The low bits of a product do not depend on the high bits.
  return ((hash ^ (hash >>> 15)) >>> 0) % shardCount
}

/** Returns the globally unique id of a lane. */
export const laneId = ({ key, organizationId, task }: Lane): string => `${task} ${organizationId} ${key}`

/** Signals for the lane owner during its turn. */
export interface LaneTurn {
  /** Completes when work may have been added since the last completion. Spurious completion is possible. */
  readonly notification: Effect.Effect<void>
  /** Whether the process has no free capacity while other lanes may wait. A long-running lane ends its turn then. */
  readonly isCrowded: () => boolean
}

/** Lane work of an area. */
export interface LaneWorker<out R> {
  readonly name: TaskName
  /** Number of lanes that a process works on concurrently. */
  readonly concurrency: number
  /**
   * Works on a lane. `closed` means that the run closed or postponed the lane; otherwise the process calls `nextDue`. The run is interrupted when the
   * shard moves to another process or the process stops. Critical sections must be uninterruptible.
   */
  readonly run: (lease: LaneLease, turn: LaneTurn) => Effect.Effect<"closed" | void, unknown, R>
  /** Next due time of the lane; `null` when the lane is empty. */
  readonly nextDue: (lease: LaneLease) => Effect.Effect<DateTime.Utc | null, never, R>
  /** Whether this deployment has such work; evaluated once. Default: true. */
  readonly isNeeded?: Effect.Effect<boolean, never, R>
}

export const defineLaneWorker = <R, Asked = never>(
  work: Omit<LaneWorker<R>, "isNeeded"> & Pick<LaneWorker<Asked>, "isNeeded">
): LaneWorker<R | Asked> => work

/** Lanes of the current organization, for producers of work. A lane is opened in the same commit as the work. */
export class Lanes extends Context.Service<
  Lanes,
  TenantScoped<{
    /**
     * Opens the lane with a due time, and notifies its owner after the commit. Call it in the unit of work that adds the work, before or after it. A
     * concurrent close then misses nothing. Producers of one lane do not block each other, and the lane owner does not block them.
     */
    readonly open: (lane: {
      readonly task: TaskName
      readonly key: string
      readonly priority: LanePriority
      readonly dueAt: DateTime.Utc
    }) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/platform/background/Lanes") {}
