import type { LaneQueue } from "./LaneQueue.ts"
import type { Lanes } from "./Lanes.ts"
import type { Shards } from "./Shards.ts"

/** What a storage adapter provides of this area. */
export type WorkStorage = LaneQueue | Lanes | Shards
