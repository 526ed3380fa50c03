import { Context, type DateTime, type Effect } from "effect"
import type { OrganizationId, TenantScoped, Transaction } from "../../kernel/index.ts"

/** What is done, in one word: `sends`, `jobs`. It is stored in the database and shown to operators. */
export type TaskName = string

/** A person waits for it; or nobody does, and it is much. */
export type LanePriority = "person" | "bulk"

/** What is worked at one after another, by one owner at a time: an account's messages, a job. */
export interface Lane {
  readonly work: TaskName
  readonly organizationId: OrganizationId
  /** Names the lane among those of the work in the organization. */
  readonly key: string
}

/** The one lane of an organization, where it has no more than one of a work. */
export const organizationLane = (work: TaskName, organizationId: OrganizationId): Lane => ({
  work,
  organizationId,
  key: "all"
})

/** A lane whose time has come. */
export interface DueLane extends Lane {
  readonly shard: number
  readonly priority: LanePriority
  readonly dueAt: DateTime.Utc
}

/** A shard of a work, and the number that its owner got it with. Each owner gets a higher one than all before. */
export interface OwnedShard {
  readonly work: TaskName
  readonly shard: number
  readonly fence: number
}

/** The right to work at a lane until somebody else owns its shard. */
export interface LaneLease extends Lane, OwnedShard {}

/** How many shards each work has: enough for a dozen processes to differ by less than a fifth. */
export const shardCount = 128

/** Where a lane is worked at. It must never change: FNV-1a over what names the lane. */
export const shardOf = ({ key, organizationId, work }: Lane): number => {
  let hash = 0x811c9dc5
  for (const char of `${work} ${organizationId} ${key}`) {
    hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0
  }
  // The low bits of a product know nothing of the high ones.
  return ((hash ^ (hash >>> 15)) >>> 0) % shardCount
}

/** Names a lane among all lanes. */
export const laneId = ({ key, organizationId, work }: Lane): string => `${work} ${organizationId} ${key}`

/** What the owner of a lane can wait for while it works at the lane. */
export interface LaneTurn {
  /** Completes when work may have been added since it last completed; it may complete for nothing. */
  readonly notification: Effect.Effect<void>
  /** Whether all places of the process are taken, so that other lanes may wait for one. Whoever works for long ends its turn then. */
  readonly isCrowded: () => boolean
}

/** Work that is done lane by lane, declared by the area that knows it. */
export interface LaneWorker<out R> {
  readonly name: TaskName
  /** How many lanes a process works at side by side. */
  readonly concurrency: number
  /**
   * Works at a lane. `closed` says that it has closed or postponed the lane itself; otherwise `nextDue` is asked after it.
   * When the shard goes to another process, or this one stops, it is interrupted; what must not be cut off is uninterruptible.
   */
  readonly run: (lease: LaneLease, turn: LaneTurn) => Effect.Effect<"closed" | void, unknown, R>
  /** When the lane has to be looked after again; `null` when there is nothing in it. */
  readonly nextDue: (lease: LaneLease) => Effect.Effect<DateTime.Utc | null, never, R>
  /** Whether there is such work here at all, asked once; there is if not said. */
  readonly isNeeded?: Effect.Effect<boolean, never, R>
}

/** Declares work that is done lane by lane. */
export const defineLaneWorker = <R, Asked = never>(
  work: Omit<LaneWorker<R>, "isNeeded"> & Pick<LaneWorker<Asked>, "isNeeded">
): LaneWorker<R | Asked> => work

/** Lanes as those see them who put work in: within their organization, in the commit of the work itself. */
export class Lanes extends Context.Service<
  Lanes,
  TenantScoped<{
    /**
     * Has somebody look after the lane when it is due, and wakes whoever owns it after the commit. Call it before or after
     * the work is put in, in the same unit of work: then the lane is not closed over it. Those who put work into one lane do
     * not wait for each other, nor for who works at it.
     */
    readonly open: (lane: {
      readonly work: TaskName
      readonly key: string
      readonly priority: LanePriority
      readonly dueAt: DateTime.Utc
    }) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/platform/background/Lanes") {}
