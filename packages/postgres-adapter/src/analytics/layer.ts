import { Layer } from "effect"

/** The storage of this area. */
export const layer = Layer.empty
