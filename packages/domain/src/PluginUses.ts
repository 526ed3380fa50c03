import { ofAllAreas } from "./areas.ts"
import { layerUsesOf } from "./kernel/index.ts"
import { PluginUses } from "./integrations/plugins/index.ts"

/** What asks plugins to act, in all areas. */
export const layerPluginUses = layerUsesOf(PluginUses, ofAllAreas("pluginUses"))
