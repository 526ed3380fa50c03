import { LaneQueue } from "./LaneQueue.ts"
import { Lanes } from "./Lanes.ts"
import { OrganizationIds } from "./OrganizationIds.ts"
import { Shards } from "./Shards.ts"

/** The ports that a storage adapter provides of this area. */
export const workStorage = [LaneQueue, Lanes, OrganizationIds, Shards] as const
