import * as Workflows from "./Workflows.ts"

/** The storage of this area. */
export const layer = Workflows.layer
