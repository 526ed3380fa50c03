import { ofAllAreas } from "./areas.ts"
import { layerPluginCallersOf } from "./integrations/plugins/index.ts"

/** Those who ask plugins to act, in all areas. */
export const layerPluginCallers = layerPluginCallersOf(ofAllAreas("pluginCallEnds"))
