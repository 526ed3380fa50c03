import { laneLeases } from "./laneLeases.ts"
import { lanes } from "./lanes.ts"
import { organizationIds } from "./organizationIds.ts"
import { shards } from "./shards.ts"

export { laneLeasesContract } from "./laneLeases.ts"
export { lanesContract } from "./lanes.ts"
export { organizationIdsContract } from "./organizationIds.ts"
export { shardsContract } from "./shards.ts"

export const backgroundContracts = [shards, lanes, laneLeases, organizationIds]
