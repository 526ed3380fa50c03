import { PluginCalls } from "./calls/PluginCalls.ts"
import { LifecycleCalls } from "./LifecycleCalls.ts"
import { PluginCatalogue } from "./PluginCatalogue.ts"
import { Plugins } from "./Plugins.ts"

/** The ports that a storage adapter provides of this area. */
export const pluginsStorage = [LifecycleCalls, PluginCalls, PluginCatalogue, Plugins] as const
