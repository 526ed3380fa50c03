import type { DateTime } from "effect"
import type { OrganizationId } from "../../kernel/index.ts"

/** What is done, in one word: `sends`, `jobs`. It is stored in the database and shown to operators. */
export type WorkName = string

/** A person waits for it; or nobody does, and it is much. */
export type LanePriority = "person" | "bulk"

/** What is worked at one after another, by one owner at a time: an account's messages, a job. */
export interface Lane {
  readonly work: WorkName
  readonly organizationId: OrganizationId
  /** Names the lane among those of the work in the organization. */
  readonly key: string
}

/** The one lane of an organization, where it has no more than one of a work. */
export const organizationLane = (work: WorkName, organizationId: OrganizationId): Lane => ({
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
  readonly work: WorkName
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
