import { Layer } from "effect"
import * as AutomationRuns from "./AutomationRuns.ts"
import * as Automations from "./Automations.ts"

/** The storage of this area. */
export const layer = Layer.mergeAll(AutomationRuns.layer, Automations.layer)
