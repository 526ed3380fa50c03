import * as Automations from "./Automations.ts"

/** The storage of this area. */
export const layer = Automations.layer
