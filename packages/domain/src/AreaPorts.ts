import { Layer } from "effect"
import { layerAssignments } from "./Assignments.ts"
import { layerContactHoldings } from "./ContactHoldings.ts"
import { layerFeatureGate } from "./entitlements/index.ts"

/** What areas do for each other through ports of their own. It needs the storage, and ids. */
export const layerAreas = Layer.mergeAll(layerAssignments, layerContactHoldings, layerFeatureGate)

/** The ports that areas fill for each other. */
export type AreaPorts = Layer.Success<typeof layerAreas>
