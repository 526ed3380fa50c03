import { Layer } from "effect"
import * as Backlog from "./Backlog.ts"
import * as Workforce from "./Workforce.ts"

export const layer = Layer.merge(Backlog.layer, Workforce.layer)
