import { Layer } from "effect"
import * as LaneQueue from "./LaneQueue.ts"
import * as Lanes from "./Lanes.ts"
import * as OrganizationIds from "./OrganizationIds.ts"
import * as Shards from "./Shards.ts"

export const layer = Layer.mergeAll(LaneQueue.layer, Lanes.layer, OrganizationIds.layer, Shards.layer)
