import { ofAllAreas } from "./areas.ts"
import { layerUsageOf } from "./platform/entitlements/index.ts"

/** How much is used of what plans limit. */
export const layerUsage = layerUsageOf(ofAllAreas("limitUses"))
