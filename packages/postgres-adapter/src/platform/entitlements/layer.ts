import * as Plans from "./Plans.ts"

/** The storage of this area. */
export const layer = Plans.layer
