import { Layer } from "effect"
import * as Backlog from "./Backlog.ts"
import * as Workforce from "./Workforce.ts"

/** The storage of this area. */
export const layer = Layer.merge(Backlog.layer, Workforce.layer)
