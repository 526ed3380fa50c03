import { Layer } from "effect"
import * as LifecycleCalls from "./LifecycleCalls.ts"
import * as PluginCalls from "./PluginCalls.ts"
import * as PluginCatalogue from "./PluginCatalogue.ts"
import * as Plugins from "./Plugins.ts"

export const layer = Layer.mergeAll(LifecycleCalls.layer, PluginCalls.layer, PluginCatalogue.layer, Plugins.layer)
