import * as Backlog from "./Backlog.ts"

/** The storage of this area. */
export const layer = Backlog.layer
