import { Layer } from "effect"
import * as ActionEffects from "./ActionEffects.ts"
import * as AutomationRuns from "./AutomationRuns.ts"
import * as Automations from "./Automations.ts"

/** The storage of this area. */
export const layer = Layer.mergeAll(ActionEffects.layer, AutomationRuns.layer, Automations.layer)
