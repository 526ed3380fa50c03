import { lanes } from "./lanes.ts"
import { organizationIds } from "./organizationIds.ts"
import { shards } from "./shards.ts"

export { lanesContract } from "./lanes.ts"
export { organizationIdsContract } from "./organizationIds.ts"
export { shardsContract } from "./shards.ts"

export const backgroundContracts = [shards, lanes, organizationIds]
