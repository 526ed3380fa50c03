import { ofAllAreas } from "./areas.ts"
import { layerPluginUsesOf } from "./plugins/index.ts"

/** What asks plugins to act, in all areas. */
export const layerPluginUses = layerPluginUsesOf(ofAllAreas("pluginUses"))
